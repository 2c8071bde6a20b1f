// Putting entries into a release and taking them out, and comparing what two releases do to one entry.
import Domain
import HTTP
import Publishing
import Store

enum ReleaseItemPages {
    static let routes = [
        AdminEndpoint(
            method: "POST", pattern: "/releases/{number}/items", access: .may(.makeRelease), handler: putWaiting),
        AdminEndpoint(method: "POST", pattern: "/entries/{id}/release", access: .may(.makeRelease), handler: put),
        AdminEndpoint(
            method: "POST", pattern: "/releases/{number}/items/{id}/delete", access: .may(.makeRelease),
            handler: remove
        ),
        AdminEndpoint(
            method: "GET", pattern: "/releases/{number}/items/{id}", access: .may(.readQueue), handler: conflict),
    ]

    private static func putWaiting(_ request: AdminRequest) async throws -> Response {
        let release = try await ReleasePages.find(request)
        let count = try await ComposeRelease(database: request.database).putWaiting(
            into: release.number, by: request.actor)
        let entries = count == 1 ? "1 entry is" : "\(count) entries are"
        return request.redirect(
            to: "/releases/\(release.number)",
            Flash(count == 0 ? "Nothing was waiting." : "\(entries) in this release now."))
    }

    /// Puts an entry's newest version, or its withdrawal, into the chosen release; a new one when none is chosen.
    private static func put(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        guard let entry = try await request.database.entries.find(id),
            let newest = try await request.database.revisions.newest(of: id)
        else { throw Failure.missing("entry") }
        let change = LiveChange(entry: id, revision: request.form.first("action") == "withdraw" ? nil : newest.id)
        let compose = ComposeRelease(database: request.database)
        let number: Int64
        if let chosen = request.text("release") {
            guard let known = Int64(chosen) else { throw Failure.missing("release") }
            try await compose.put([change], into: known, by: request.actor)
            number = known
        } else {
            number = try await compose.make(
                title: EntryPages.shown(entry.title), holding: [change], by: request.actor)
        }
        let what = change.revision == nil ? "Withdrawing it" : "Version \(newest.number)"
        return request.redirect(
            to: "/entries/\(id)",
            Flash("\(what) is in release \(number) now. Nothing changes for readers until it goes live."))
    }

    private static func remove(_ request: AdminRequest) async throws -> Response {
        let release = try await ReleasePages.find(request)
        try await ComposeRelease(database: request.database).remove(
            try request.id(), from: release.number, by: request.actor)
        return request.redirect(
            to: "/releases/\(release.number)", Flash("It is out of this release. The entry itself is as it was."))
    }

    // MARK: What two sides do to one entry

    private struct Rival: Encodable, Sendable {
        let name: String
        let address: String
        let number: Int
        let difference: StaleEdit
    }

    private struct Withdrawal: Encodable, Sendable {
        let number: Int64
    }

    private struct Conflict: Encodable, Sendable {
        let release: Int64
        let id: ID<Entry>
        let title: String
        let revision: Int
        let base: Int
        let rivals: [Rival]
        /// Other releases that withdraw it.
        let unpublishings: [Withdrawal]
    }

    /// Before, this release, and the other side: what is live by now, and what each other release shows.
    private static func conflict(_ request: AdminRequest) async throws -> Response {
        let release = try await ReleasePages.find(request)
        let (entry, _) = try await EntryPages.find(request)
        guard let item = try await request.database.releaseItems.find(entry.id, in: release.id),
            let number = item.revision, let mine = try await request.database.revisions.find(entry.id, number: number)
        else { throw Failure.missing("entry") }
        let baseNumber = item.base ?? 1
        guard let base = try await request.database.revisions.find(entry.id, number: baseNumber) else {
            throw Failure.missing("version")
        }
        let type = try request.context.rules.type(named: entry.type)
        var sides: [(name: String, address: String, revision: RevisionRow)] = []
        if item.hasMoved, let live = try await request.database.revisions.live(of: entry.id) {
            sides.append(("what readers see now", "/entries/\(entry.id)", live))
        }
        var unpublishings: [Withdrawal] = []
        for other in item.others {
            guard let rival = try await request.database.releases.find(number: other),
                let held = try await request.database.releaseItems.find(entry.id, in: rival.id)
            else { continue }
            guard let shown = held.revision else {
                unpublishings.append(Withdrawal(number: other))
                continue
            }
            if let revision = try await request.database.revisions.find(entry.id, number: shown) {
                sides.append(("release \(other)", "/releases/\(other)", revision))
            }
        }
        let names = try await EntryNames.load(
            [base.content, mine.content] + sides.map(\.revision.content), of: type, request.database)
        let model = Conflict(
            release: release.number, id: entry.id, title: EntryPages.shown(entry.title), revision: number,
            base: baseNumber,
            rivals: sides.map { side in
                Rival(
                    name: side.name, address: side.address, number: side.revision.number,
                    difference: StaleEdit(
                        began: base, theirs: side.revision, mine: mine.content, type, names,
                        sides: ("release \(release.number)", side.name)))
            },
            unpublishings: unpublishings)
        return try request.page(
            "admin/releases/conflict", model, title: "Release \(release.number): \(model.title)")
    }
}
