// What is wrong with a template, and where.

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
    package let place: TemplateLocation
    package let message: String

    package var description: String { "\(place): \(message)" }
}

/// Everything that is wrong with a set of templates, at once.
package struct TemplateFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package let problems: [TemplateProblem]

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
