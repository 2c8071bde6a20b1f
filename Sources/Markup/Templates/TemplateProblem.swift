// An error in a template and its location.

package struct TemplateLocation: Sendable, Hashable, CustomStringConvertible {
    package let file: String
    /// Both from 1; columns count characters.
    package let line: Int
    package let column: Int

    package var description: String { "\(file):\(line):\(column)" }

    static func start(of file: String) -> TemplateLocation {
        TemplateLocation(file: file, line: 1, column: 1)
    }

    func advanced(over text: Substring) -> TemplateLocation {
        var (line, column) = (line, column)
        for scalar in text.unicodeScalars {
            (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
        }
        return TemplateLocation(file: file, line: line, column: column)
    }
}

package struct TemplateProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package let location: TemplateLocation
    package let message: String

    package var description: String { "\(location): \(message)" }
}

/// All errors of a set of templates.
package struct TemplateFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package let problems: [TemplateProblem]

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
