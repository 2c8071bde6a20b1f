// The names of languages, in the language of the current task, by ICU.
import CICU

package enum LanguageName {
    private static let capacity = 256

    /// `German` for `de`, `Portuguese (Brazil)` for `pt-BR`; the tag itself if ICU has no name for it.
    package static func of(_ tag: String) -> String {
        var name = [CChar](repeating: 0, count: capacity)
        let length = vitrine_language_name(tag, MessageCatalog.current?.language ?? "en", &name, Int32(capacity))
        guard length > 0, length <= capacity else { return tag }
        return String(validating: name[..<Int(length)], as: UTF8.self) ?? tag
    }
}
