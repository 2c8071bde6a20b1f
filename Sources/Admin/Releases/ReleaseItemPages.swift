// Adds entries to a release, removes and moves them, and compares two releases of one entry.
import Domain
import HTTP
import Localization
import Operations
import Store

enum ReleaseItemPages {
    static func addPending(_ request: AdminRequest) async throws -> Response {
        let release = try await ReleasePages.find(request)
        let count = try await request.services.composeRelease.addWaiting(
            to: release.number, by: request.actor)
        return request.redirect(
            to: AdminURL.release(release.number),
            Flash(
                count == 0
                    ? tr("No pending changes.")
                    : tr("Added \(ReleasePages.entries(count)).", context: "release item pages")))
    }

    /// Adds the newest version of an entry, or its unpublishing, to the chosen release, or to a new one.
    static func add(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        guard let entry = try await request.database.entries.find(id),
            let newest = try await request.database.revisions.newest(of: id)
        else { throw Failure.missing("entry") }
        let change = LiveChange(entry: id, revision: request.form.first("action") == "unpublish" ? nil : newest.id)
        let compose = request.services.composeRelease
        let number: Int64
        if let chosen = request.text("release") {
            guard let known = Int64(chosen) else { throw Failure.missing("release") }
            try await compose.add([change], to: known, by: request.actor)
            number = known
        } else {
            number = try await compose.create(
                title: EntryPages.shown(entry.title), items: [change], by: request.actor)
        }
        let item =
            change.revision == nil
            ? tr("Unpublishing", context: "release item pages")
            : tr("Version \(newest.number)", context: "release item pages")
        return request.redirect(
            to: request.form.first("return") == "release" ? AdminURL.release(number) : AdminURL.entry(id),
            Flash(tr("\(item) added to release \(number). Readers see it when the release is published.")))
    }

    static func remove(_ request: AdminRequest) async throws -> Response {
        let release = try await ReleasePages.find(request)
        try await request.services.composeRelease.remove(
            try request.id(), from: release.number, by: request.actor)
        return request.redirect(
            to: AdminURL.release(release.number), Flash(tr("Removed from this release. The entry is unchanged.")))
    }

    /// Moves the selected entries to the chosen release, or to a new one.
    static func move(_ request: AdminRequest) async throws -> Response {
        let release = try await ReleasePages.find(request)
        return try await request.submit(orShow: ReleasePages.show) {
            let entries = ReleaseMoveForm.selected(request)
            var target = ComposeRelease.MoveTarget.new(title: request.form.first("title") ?? "")
            if let chosen = request.text("release") {
                guard let known = Int64(chosen) else { throw Failure.missing("release") }
                target = .release(known)
            }
            let number = try await request.services.composeRelease.move(
                entries, from: release.number, to: target, by: request.actor)
            let count = ReleasePages.entries(Set(entries).count)
            return request.redirect(
                to: AdminURL.release(number),
                Flash(tr("Moved \(count) from release \(release.number) to release \(number).")))
        }
    }

    // MARK: Comparison

    private struct Side: Encodable, Sendable {
        let name: String
        let url: String
        let number: Int
        let difference: StaleEdit
    }

    private struct Unpublishing: Encodable, Sendable {
        let number: Int64
    }

    private struct Conflict: Encodable, Sendable {
        let release: Int64
        let id: ID<Entry>
        let title: String
        let revision: Int
        let base: Int
        let sides: [Side]
        /// Other releases that unpublish it.
        let unpublishings: [Unpublishing]
    }

    /// Compares this release's version with the published one, if that has changed, and with those of other releases.
    static func conflict(_ request: AdminRequest) async throws -> Response {
        let release = try await ReleasePages.find(request)
        let (entry, _) = try await EntryPages.find(request)
        guard let item = try await request.database.releaseItems.find(entry.id, in: release.id),
            let number = item.revision, let mine = try await request.database.revisions.find(entry.id, number: number)
        else { throw Failure.missing("entry") }
        let baseNumber = item.base ?? 1
        let base = try await request.database.revisions.find(entry.id, number: baseNumber).orMissing("version")
        let type = try request.context.rules.type(named: entry.type)
        var sides: [(name: String, url: String, revision: RevisionRow)] = []
        if item.hasMoved, let live = try await request.database.revisions.live(of: entry.id) {
            sides.append((tr("the published version"), AdminURL.entry(entry.id), live))
        }
        var unpublishings: [Unpublishing] = []
        for other in item.others {
            guard let release = try await request.database.releases.find(number: other),
                let item = try await request.database.releaseItems.find(entry.id, in: release.id)
            else { continue }
            guard let number = item.revision else {
                unpublishings.append(Unpublishing(number: other))
                continue
            }
            if let revision = try await request.database.revisions.find(entry.id, number: number) {
                sides.append((tr("release \(other)", context: "conflict"), AdminURL.release(other), revision))
            }
        }
        let names = try await EntryTitles.load(
            [base.content, mine.content] + sides.map(\.revision.content), of: type, request.database)
        let (compared, comparing) = (sides, names.comparing(on: request))
        let ownName = tr("release \(release.number)", context: "conflict")
        let differences = try await request.rendering([base.content, mine.content] + sides.map(\.revision.content)) {
            compared.map { side in
                StaleEdit(
                    began: base, theirs: side.revision, mine: mine.content, type, comparing,
                    sides: (ownName, side.name))
            }
        }
        let model = Conflict(
            release: release.number, id: entry.id, title: EntryPages.shown(entry.title), revision: number,
            base: baseNumber,
            sides: zip(sides, differences).map { side, difference in
                Side(name: side.name, url: side.url, number: side.revision.number, difference: difference)
            },
            unpublishings: unpublishings)
        return try request.page(
            "admin/releases/conflict", model,
            title: tr("Release \(release.number): \(model.title)", context: "conflict"))
    }
}
