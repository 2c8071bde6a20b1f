// Where readers find an entry.
import Domain
import Store

extension AdminRequest {
    /// On the site that readers use; nil without one, and for an entry that isn't published. A newer version may have
    /// another slug.
    func publicURL(of entry: EntryRow) async throws -> String? {
        guard entry.kind == .item, entry.live != nil, let site = context.itemURL else { return nil }
        let slug =
            entry.live == entry.newest
            ? entry.slug : try await database.revisions.live(of: entry.id)?.content.fields["slug"]?.stringValue
        return slug.map { EntryURL.onSite(entry.id, slug: $0, site) }
    }
}
