// The languages of pages: the configured one, and those of contributors.
import Domain
import Localization
import Markup

/// Pages of the team are in the configured language. Submission forms and status pages are in the language of the form or
/// the submission, if there is a translation.
package struct PageLanguages: Sendable {
    /// One language with the texts of its pages.
    package struct Language: Sendable {
        /// Nil: English.
        let messages: MessageCatalog?
        let templates: TemplateSet

        /// A BCP 47 tag.
        var tag: String { PageLanguages.tag(of: messages) }

        package init(messages: MessageCatalog?, templates: TemplateSet) {
            self.messages = messages
            self.templates = templates
        }
    }

    let configured: Language
    /// By tag, with the configured one.
    private let languages: [String: Language]

    /// `others` need the templates of contributors' pages only.
    package init(_ configured: Language, others: [Language] = []) {
        self.configured = configured
        languages = Dictionary(([configured] + others).map { ($0.tag, $0) }) { first, _ in first }
    }

    /// The templates of the current language.
    var templates: TemplateSet { (languages[Self.current] ?? configured).templates }

    /// The language of the page that the current task produces, for the attribute `lang`.
    static var current: String { tag(of: MessageCatalog.current) }

    private static func tag(of messages: MessageCatalog?) -> String {
        // Catalogs are files, whose names may have the spelling of gettext.
        (messages?.language ?? "en").replacing("_", with: "-")
    }

    /// The texts for a reader of `locale`, such as those of `de` for `de-AT`; the configured ones if there are none.
    func messages(for locale: String?) -> MessageCatalog? {
        let tags = locale.flatMap { LanguageTag($0) }?.chain ?? []
        return (tags.lazy.compactMap { languages[$0] }.first ?? configured).messages
    }
}
