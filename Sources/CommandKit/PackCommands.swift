// What a pack adds to the command line.
import Domain
import Operations
import Platform
import Store

package struct PackCommands: PackPart {
    /// Loads further files of the pack's demo set: `read` returns the content of a file, nil if there is none. Returns how
    /// many of what it recorded: `["observations": 12]`.
    package typealias LoadDemo =
        @Sendable (Services, Actor, _ read: (String) throws -> [UInt8]?) async throws -> [String: Int]

    /// Texts of its configuration files for translators, each with the file.
    package typealias Texts = @Sendable (Settings) throws -> [(text: String, place: String)]

    /// The catalogs that references to catalog items may name.
    package typealias Catalogs = @Sendable (Settings) throws -> CatalogSources

    package let entries: [CommandEntry]
    package let loadDemo: LoadDemo?
    package let texts: Texts?
    package let catalogs: Catalogs?

    package init(
        _ entries: [CommandEntry], loadDemo: LoadDemo? = nil, texts: Texts? = nil, catalogs: Catalogs? = nil
    ) {
        self.entries = entries
        self.loadDemo = loadDemo
        self.texts = texts
        self.catalogs = catalogs
    }
}
