// The rules for the roles that teams define.
import Localization

extension Role {
    package static let maxNameLength = 40
    package static let maxLabelLength = 60

    /// Whether a text has the form of a role's name. The database applies the same rule (`role_name`).
    package static func isName(_ text: String) -> Bool {
        let lowercase = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard let first = text.utf8.first, lowercase.contains(first), text.utf8.count <= maxNameLength else {
            return false
        }
        return text.utf8.allSatisfy { lowercase.contains($0) || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    }

    /// A team's own role, as written in a form or on the command line. Every role can read the queue, named or not. Throws
    /// `Failure.invalid` with all errors at once.
    package static func check(name: String, label: String, permissions: [String]) throws(Failure) -> Role {
        var errors = FieldErrors()
        if !isName(name) {
            errors.add(
                "/name", "format",
                tr("A name starts with a lowercase letter and has at most 40 lowercase letters, digits and hyphens."))
        }
        let line = PlainText.singleLine(label)
        if PlainText.isBlank(line) || line.unicodeScalars.count > maxLabelLength {
            errors.add("/label", "required", tr("Enter a label of 1 to 60 characters."))
        } else if PlainText.containsNUL(label) || PlainText.containsBidiControls(line) {
            errors.add("/label", "control_characters", tr("Remove the invisible characters from the label."))
        }
        let known = permissions.compactMap(Permission.init)
        if known.count < permissions.count {
            let names = Permission.allCases.map(\.rawValue).joined(separator: ", ")
            errors.add("/permissions", "choice", tr("Choose permissions out of \(names)."))
        }
        try errors.throwIfAny()
        return Role(name: name, label: line, permissions: Set(known).union([.readQueue]))
    }
}
