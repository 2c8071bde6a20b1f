// Loads the templates of the core and of all packs of this program, in the languages that there are texts for.
import Admin
import Localization
import Markup
import Packs
import Platform

extension TemplateSet {
    /// The pages of contributors and what they contain.
    private static let forContributors = ["admin/failure", "layout/public", "partial/", "status/", "submit/"]

    convenience init(_ settings: Settings, catalog: MessageCatalog? = nil) throws {
        try self.init(
            directory: settings.directories.templates, packs: RegisteredPacks.all.map(\.name),
            urls: AdminSite.urls(of: RegisteredPacks.all), catalog: catalog)
    }

    /// The pages of contributors only.
    convenience init(forContributors settings: Settings, catalog: MessageCatalog?) throws {
        let sources = try Self.sources(in: settings.directories.templates).filter { name, _ in
            Self.forContributors.contains { name.hasPrefix($0) }
        }
        try self.init(sources: sources, urls: AdminSite.urls(of: RegisteredPacks.all), catalog: catalog)
    }
}

extension PageLanguages {
    /// Throws `ConfigurationError` if there is no catalog for the configured language, and `TemplateFailure`. Of other
    /// languages, one that is invalid is left out and logged.
    static func load(_ settings: Settings, _ log: Logger) throws -> PageLanguages {
        let messages = try MessageCatalog.load(settings)
        let configured = Language(messages: messages, templates: try TemplateSet(settings, catalog: messages))
        var others: [Language] = []
        if messages != nil {
            let templates = try TemplateSet(forContributors: settings, catalog: nil)
            others.append(Language(messages: nil, templates: templates))
        }
        for (language, catalog) in MessageCatalog.others(settings) {
            guard let catalog, let templates = try? TemplateSet(forContributors: settings, catalog: catalog) else {
                log.warning("a translation is invalid, so it is not used", ["language": .text(language)])
                continue
            }
            others.append(Language(messages: catalog, templates: templates))
        }
        return PageLanguages(configured, others: others)
    }
}
