// What readers may keep of a feed for offline use, on its page.
import Domain
import Store

struct OfflinePanel: Encodable, Sendable {
    /// `12 files, 3.4 MB`
    let size: String
    /// The first characters of the manifest's version.
    let version: String

    /// Nil for anything but a feed that readers see.
    static func load(_ entry: EntryRow, _ database: Database) async throws -> OfflinePanel? {
        guard entry.kind == .feed, let kept = try await database.offline.sizes(of: [entry.id])[entry.id] else {
            return nil
        }
        return OfflinePanel(size: size(files: kept.files, bytes: kept.bytes), version: String(kept.version.prefix(12)))
    }

    static func size(files: Int, bytes: Int) -> String {
        guard files > 0 else { return "nothing" }
        let kilobytes = (bytes + 1023) / 1024
        let weight = kilobytes < 1024 ? "\(kilobytes) KB" : "\(kilobytes / 1024).\(kilobytes % 1024 * 10 / 1024) MB"
        return "\(files) file\(files == 1 ? "" : "s"), \(weight)"
    }
}
