// A text that is written in English in a file or a table of the program, and is read in the current language.

/// Such texts are no literals at a call of `tr`; `vitrine dev messages` lists them for translators.
@propertyWrapper
package struct Translated: Sendable, Equatable {
    private var english: String

    package init(wrappedValue: String) {
        english = wrappedValue
    }

    package var wrappedValue: String {
        get { translated(english) }
        set { english = newValue }
    }

    /// The context of keys of one word, which are names of fields and content types.
    package static func context(of english: String) -> String? {
        english.contains(" ") ? nil : "name"
    }
}

/// A label within a sentence of `tr`: in lower case in English only, because other languages write nouns otherwise.
package func inText(_ label: String) -> String {
    MessageCatalog.inUse == nil ? label.lowercased() : label
}

/// The text in the current language; itself if the catalog has no translation.
package func translated(_ english: String) -> String {
    MessageCatalog.inUse?.text(of: english, context: Translated.context(of: english)) ?? english
}
