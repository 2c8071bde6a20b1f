// Finds the catalogs of texts: of the configured language, of all others, and of the language of the terminal.
import Domain
import FoundationEssentials
import Localization
import Platform

extension MessageCatalog {
    /// Nil for English. Throws `ConfigurationError` if there is no catalog for the language.
    static func load(_ settings: Settings) throws -> MessageCatalog? {
        guard settings.language != "en" else { return nil }
        let path = "\(settings.directories.messages)/\(settings.language).mo"
        do {
            return try MessageCatalog(language: settings.language, path: path)
        } catch {
            throw ConfigurationError(problems: [
                "language: can't read the catalog of \(settings.language) at \(path): \(error)"
            ])
        }
    }

    /// The catalogs in the configured folder, without that of the configured language. One that can't be read is nil.
    static func others(_ settings: Settings) -> [(language: String, catalog: MessageCatalog?)] {
        let folder = settings.directories.messages
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().filter { $0.hasSuffix(".mo") }.compactMap { name in
            guard let language = LanguageTag(String(name.dropLast(".mo".count)))?.text, language != settings.language
            else { return nil }
            return (language: language, catalog: try? MessageCatalog(language: language, path: "\(folder)/\(name)"))
        }
    }

    /// For commands: the catalog of the language in LC_ALL, LC_MESSAGES or LANG; nil for English and if there is none.
    static func load(environment: [String: String]) -> MessageCatalog? {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        guard let locale = names.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }),
            let folder = environment["VITRINE_MESSAGES_DIR"] ?? ProgramLocation.current.find("Messages")
        else { return nil }
        let language = locale.prefix { $0 != "." && $0 != "@" }.split(separator: "_").joined(separator: "-")
        let tags = [language, String(language.prefix { $0 != "-" })]
        return tags.lazy.compactMap { try? MessageCatalog(language: $0, path: "\(folder)/\($0).mo") }.first
    }
}
