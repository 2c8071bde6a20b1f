// Loads the templates of the core and of all packs of this program.
import Admin
import Localization
import Markup
import Packs
import Platform

extension TemplateSet {
    convenience init(_ settings: Settings, catalog: MessageCatalog? = nil) throws {
        try self.init(
            directory: settings.directories.templates, packs: RegisteredPacks.all.map(\.name),
            urls: AdminSite.urls(of: RegisteredPacks.all), catalog: catalog)
    }
}
