// What a submission form asks for and where it may be shown: its rules.
import Localization

/// A submission form, as written on its page or on the command line, or as stored.
package struct FormDefinition: Sendable, Equatable {
    /// In its URL: `/submit/{name}`.
    package var name: String
    /// The content type; never changes.
    package var type: String
    package var title: String
    package var introduction = ""
    /// Of title, introduction and mails.
    package var locale = "en"
    /// The names of the fields it shows, in the order of the type; nil for all that contributors may fill in.
    package var fields: [String]?
    /// The requested category of what it receives.
    package var category: String?
    package var feed: ID<Entry>?
    /// The origins whose pages may show it in a frame, such as `https://example.org`.
    package var origins: [String] = []
    /// Whether it takes submissions without a name (A15).
    package var allowsAnonymous = false
    package var requiresEmail = false
    package var isOn = false

    package init(name: String, type: String, title: String) {
        (self.name, self.type, self.title) = (name, type, title)
    }

    package static let maxNameLength = 60
    package static let maxTitleLength = 200
    package static let maxIntroductionLength = 5000
    package static let maxOrigins = 20

    /// The fields that it shows.
    package func shownFields(of type: ContentType) -> [Field] {
        type.contributorFields.filter { fields?.contains($0.name) ?? true }
    }

    /// The definition as stored, for its content type. Throws `Failure.invalid` with all errors at once, at `/name`,
    /// `/title`, `/introduction`, `/locale`, `/fields`, `/category` and `/origins`.
    package func checked(as type: ContentType) throws(Failure) -> FormDefinition {
        var errors = FieldErrors()
        var checked = self
        if !Self.isName(name) {
            errors.add(
                "/name", "format",
                tr("Use lowercase letters a to z and digits, with single hyphens between words, at most 60 characters.")
            )
        }
        if !type.submittable { errors.add("/type", "choice", tr("\(type.plural) can't be submitted.")) }
        checked.title = Self.line(title, at: "/title", most: Self.maxTitleLength, isRequired: true, &errors)
        checked.introduction = PlainText.trimmed(PlainText.lines(introduction))
        if checked.introduction.unicodeScalars.count > Self.maxIntroductionLength {
            errors.add(
                "/introduction", "too_long", tr("Enter at most \(Self.maxIntroductionLength) characters."))
        }
        if let tag = LanguageTag(PlainText.singleLine(locale)) {
            checked.locale = tag.text
        } else {
            errors.add("/locale", "format", LanguageTag.formatMessage)
        }
        let category = Self.line(category ?? "", at: "/category", most: 200, isRequired: false, &errors)
        checked.category = category.isEmpty ? nil : category
        checked.fields = Self.fields(fields, of: type, &errors)
        if feed != nil, type.field("feeds")?.submittable != true {
            errors.add("/feed", "unknown_field", tr("Submissions of this type are not in feeds."))
        }
        checked.origins = Self.origins(origins, &errors)
        try errors.throwIfAny()
        return checked
    }

    /// Lowercase ASCII letters and digits with single hyphens in between. The database applies the same rule
    /// (`submission_form_name`).
    package static func isName(_ text: String) -> Bool {
        let words = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let lowercase = UInt8(ascii: "a")...UInt8(ascii: "z")
        return text.utf8.count <= maxNameLength
            && words.allSatisfy { !$0.isEmpty && $0.allSatisfy { lowercase.contains($0) || $0.isASCIIDigit } }
    }

    private static func line(
        _ written: String, at pointer: String, most: Int, isRequired: Bool, _ errors: inout FieldErrors
    ) -> String {
        let line = PlainText.singleLine(written)
        if PlainText.isBlank(line) {
            if isRequired { errors.add(pointer, "required", tr("Enter 1 to \(most) characters.")) }
            return ""
        }
        if line.unicodeScalars.count > most {
            errors.add(pointer, "too_long", tr("Enter at most \(most) characters."))
        } else if PlainText.containsBidiControls(line) {
            errors.add(pointer, "control_characters", tr("Remove the invisible characters."))
        }
        return line
    }

    /// Every required field must be shown, or nobody could send the form.
    private static func fields(_ names: [String]?, of type: ContentType, _ errors: inout FieldErrors) -> [String]? {
        guard let names else { return nil }
        let open = type.contributorFields
        let unknown = names.filter { name in !open.contains { $0.name == name } }
        if !unknown.isEmpty {
            let known = open.map(\.name).joined(separator: ", ")
            errors.add("/fields", "choice", tr("Contributors can fill in these fields: \(known)."))
        }
        let missing = open.filter { $0.required && !names.contains($0.name) }.map(\.label)
        if !missing.isEmpty {
            let missing = missing.joined(separator: ", ")
            errors.add("/fields", "required", tr("A submission requires these fields: \(missing)."))
        }
        let shown = open.map(\.name).filter(names.contains)
        return shown.count == open.count ? nil : shown
    }

    private static func origins(_ written: [String], _ errors: inout FieldErrors) -> [String] {
        var origins: [String] = []
        for text in written.map(PlainText.singleLine) where !text.isEmpty {
            guard let origin = origin(text) else {
                errors.add(
                    "/origins", "format",
                    tr(
                        "\(text) isn't an origin. Enter https:// and the host, such as https://example.org, without a path."
                    ))
                continue
            }
            if !origins.contains(origin) { origins.append(origin) }
        }
        if origins.count > maxOrigins { errors.add("/origins", "too_long", tr("Enter at most \(maxOrigins) origins.")) }
        return origins
    }

    /// Scheme, ASCII host and port. Plain http only for this machine, to try it out: anybody between could change
    /// another page that shows the form.
    static func origin(_ text: String) -> String? {
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard trimmed.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "*") }),
            let url = try? WebURL(trimmed, httpsOnly: false), let slashes = url.text.firstRange(of: "://")
        else { return nil }
        let authority = url.text[slashes.upperBound...]
        guard !authority.isEmpty, !authority.contains(where: { "/?#,;'\"".contains($0) }) else { return nil }
        let host = authority.split(separator: ":").first ?? ""
        let isLocal = host == "localhost" || host == "127.0.0.1"
        return url.text.hasPrefix("https://") || isLocal ? url.text : nil
    }
}
