// Creates, renames, reorders, moves and unmerges categories on the category board.
import Domain
import HTTP
import Localization
import Operations
import Store

enum CategoryActionPages {
    static func create(_ request: AdminRequest) async throws -> Response {
        let groups = try await CategoryPages.groups(request.database)
        let chosen = request.form.first("group") ?? ""
        guard let index = groups.firstIndex(where: { $0.id.description == chosen }) else {
            throw Failure.refused(
                code: "two_groups",
                message: tr("Categories belong to one of two groups. Choose one of them."))
        }
        let name = request.form.first("name") ?? ""
        return try await submit(request, at: "/name-\(index + 1)") {
            let outcome = try await request.services.createCategory(
                named: name, in: groups[index].id, try CategoryTiming.read(request), by: request.actor)
            let message = outcome.message(
                published: tr("Category created and published"), pending: tr("Category created"))
            let id = outcome.entry
            return request.redirect(
                to: CategoryTiming.board(request, at: id),
                try await named(
                    tr("\(message) The app shows it once it has published items."), name, id, request.database))
        }
    }

    static func rename(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        let name = request.text("name") ?? ""
        let wasControl = StalePage.Controls(value: "name", was: "was")
        return try await submit(request, at: "/rename-\(id)", controls: { _ in wasControl }) {
            let outcome = try await request.services.renameCategory(
                id, from: request.form.first("was") ?? "", to: name, try CategoryTiming.read(request), by: request.actor
            )
            let message = outcome.message(
                published: tr("Renamed to \(name); its old URL redirects"), pending: tr("Renamed to \(name)"))
            return request.redirect(
                to: CategoryTiming.board(request, at: id),
                try await named(message, name, id, request.database))
        }
    }

    /// Moves one category. Buttons, keys and dragging send the id, the previous position and the new index.
    static func step(_ request: AdminRequest) async throws -> Response {
        let parts = (request.form.first("move") ?? "").split(separator: " ").map(String.init)
        guard parts.count == 3, let id = ID<Entry>(parts[0]), let previous = Int(parts[1]), let index = Int(parts[2])
        else {
            throw Failure.invalid(FieldErrors("/move", "format", tr("Choose a category and a position.")))
        }
        return try await submit(request, at: "/position-\(id)") {
            let action = request.services.reorderCategories
            let outcome: ChangeOutcome
            do {
                outcome = try await action.move(
                    id, previous: previous, to: index, try CategoryTiming.read(request), by: request.actor)
            } catch Failure.stale(let values) {
                // A step from an outdated position has no meaning: show the current order instead of both values.
                let author =
                    values.first.map { ActorName.shown($0.author) } ?? tr("Somebody", context: "category action pages")
                let message = tr("\(author) moved this category meanwhile. Your move was not saved.")
                throw Failure.invalid(FieldErrors("/position-\(id)", "stale", message))
            }
            let directory = try await CategoryDirectory.load(request.database)
            let category = directory.find(id)
            let order = category?.categoryGroup.map(directory.unmerged) ?? []
            let number = (order.firstIndex { $0.id == id } ?? 0) + 1
            let label = tr("\(category?.title ?? ""): position \(number) of \(order.count)")
            return request.redirect(
                to: CategoryTiming.board(request, at: id),
                Flash(outcome.message(published: label, pending: label)))
        }
    }

    /// The flash of an action that named a category; links to the merge page for a possible duplicate.
    private static func named(
        _ message: String, _ name: String, _ id: ID<Entry>, _ database: Database
    ) async throws -> Flash {
        let directory = try await CategoryDirectory.load(database)
        guard let other = directory.similar(name, besides: id) else {
            return Flash(message, link: AdminURL.entry(id), linkLabel: tr("View category"))
        }
        return Flash(
            tr("\(message) Possible duplicate of \(other.title)."),
            link: AdminURL.categoryMerge(id) + "?target=\(other.id)", linkLabel: tr("Preview merge"))
    }

    /// Moves a category to the other group.
    static func move(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        guard let old = request.form.first("was").flatMap({ ID<Entry>($0) }),
            let group = request.form.first("group").flatMap({ ID<Entry>($0) })
        else { throw Failure.invalid(FieldErrors("/group", "required", tr("Choose a group."))) }
        return try await submit(request, at: "/rename-\(id)") {
            let outcome = try await request.services.moveCategory(
                id, from: old, to: group, try CategoryTiming.read(request), by: request.actor)
            let title = try await CategoryPages.groups(request.database).first { $0.id == group }?.title ?? ""
            return request.redirect(
                to: CategoryTiming.board(request, at: id),
                Flash(
                    outcome.message(
                        published: tr("Moved to the end of \(title)"), pending: tr("Moved to the end of \(title)")))
            )
        }
    }

    /// Undoes the merge of a category.
    static func unmerge(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        return try await submit(request, at: "/main") {
            let outcome = try await request.services.mergeCategory.unmerge(
                id, try CategoryTiming.read(request), by: request.actor)
            return request.redirect(
                to: CategoryTiming.board(request, at: id),
                Flash(
                    outcome.message(published: tr("Merge undone; its items are restored"), pending: tr("Merge undone")),
                    link: AdminURL.entry(id), linkLabel: tr("View category")))
        }
    }

    /// Runs an action of this page; its errors are shown at the control with all input.
    private static func submit(
        _ request: AdminRequest, at pointer: String,
        controls: @escaping (StaleValue) -> StalePage.Controls = StalePage.wholeForm,
        _ action: () async throws -> Response
    ) async throws -> Response {
        try await request.submit(
            at: pointer,
            orShow: { request, found in
                var errors = FieldErrors()
                for item in found.items { errors.add(pointer, item.code, item.message) }
                return try await CategoryPages.list(request, errors: errors)
            },
            stale: {
                try StalePage.response(
                    $0, request, heading: tr("Categories", context: "category action pages"),
                    back: AdminURL.categories(), controls: controls)
            }, action)
    }
}
