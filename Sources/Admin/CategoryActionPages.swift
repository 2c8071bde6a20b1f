// The small actions of the board: adding, renaming, ordering, moving and parting categories.
import Domain
import Editorial
import HTTP
import Store

enum CategoryActionPages {
    static let routes = [
        AdminEndpoint(method: "POST", pattern: "/categories", access: .may(.edit), handler: add),
        AdminEndpoint(method: "POST", pattern: "/categories/reorder", access: .may(.suggest), handler: order),
        AdminEndpoint(method: "POST", pattern: "/categories/move", access: .may(.suggest), handler: place),
        AdminEndpoint(method: "POST", pattern: "/categories/{id}/name", access: .may(.suggest), handler: rename),
        AdminEndpoint(method: "POST", pattern: "/categories/{id}/group", access: .may(.suggest), handler: move),
        AdminEndpoint(method: "POST", pattern: "/categories/{id}/unmerge", access: .may(.suggest), handler: part),
    ]

    private static func add(_ request: AdminRequest) async throws -> Response {
        let groups = try await CategoryPages.groups(request.database)
        let chosen = request.form.first("group") ?? ""
        guard let index = groups.firstIndex(where: { $0.id.description == chosen }) else {
            throw Failure.refused(
                code: "two_groups",
                message: "There are exactly two category groups; a third cannot be made. Choose one of the two.")
        }
        let name = request.form.first("name") ?? ""
        return try await showing(request, at: "/name-\(index + 1)") {
            let outcome = try await CreateCategory(database: request.database, rules: request.context.rules)(
                named: name, in: groups[index].id, CategoryTiming.read(request), by: request.actor)
            let sentence = CategoryFlash.sentence(
                outcome, done: "The category is added and live", waits: "The category is added")
            guard let id = outcome.entry else {
                return request.redirect(to: CategoryTiming.board(request), Flash(sentence))
            }
            return request.redirect(
                to: CategoryTiming.board(request, at: id),
                try await CategoryFlash.named(
                    "\(sentence) The app shows it when something is in it.", name, id, request.database))
        }
    }

    private static func rename(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        let name = request.text("name") ?? ""
        let wasControl = StalePage.Controls(value: "name", was: "was")
        return try await showing(request, at: "/rename-\(id)", controls: { _ in wasControl }) {
            let outcome = try await RenameCategory(database: request.database, rules: request.context.rules)(
                id, from: request.form.first("was") ?? "", to: name, CategoryTiming.read(request), by: request.actor)
            let sentence = CategoryFlash.sentence(
                outcome, done: "It is called \(name) now, and its old address leads to the new one",
                waits: "The new name \(name) waits")
            return request.redirect(
                to: CategoryTiming.board(request, at: id),
                try await CategoryFlash.named(sentence, name, id, request.database))
        }
    }

    /// One category to another place: what the buttons, the keys and dragging send, as `id was number`.
    private static func place(_ request: AdminRequest) async throws -> Response {
        let parts = (request.form.first("move") ?? "").split(separator: " ").map(String.init)
        guard parts.count == 3, let id = ID<Entry>(parts[0]), let was = Int(parts[1]), let index = Int(parts[2]) else {
            throw Failure.invalid(FieldErrors("/move", "format", "Which category is to stand where is not said."))
        }
        return try await showing(request, at: "/position-\(id)") {
            let action = OrderCategories(database: request.database, rules: request.context.rules)
            let outcome: EditOutcome
            do {
                outcome = try await action.move(
                    id, was: was, to: index, CategoryTiming.read(request), by: request.actor)
            } catch Failure.stale(let values) {
                // A step from where it stood makes no sense any more: the order as it is now says more than both values.
                let author = values.first?.author ?? "Somebody"
                let sentence = "\(author) has moved this meanwhile. This is the order now; nothing of yours was done."
                return try await CategoryPages.list(
                    request, errors: FieldErrors("/position-\(id)", "stale", sentence), status: 409)
            }
            let directory = try await CategoryDirectory.load(request.database)
            let category = directory.find(id)
            let order = category?.categoryGroup.map(directory.unmerged) ?? []
            let number = (order.firstIndex { $0.id == id } ?? 0) + 1
            let words = "\(category?.title ?? ""): place \(number) of \(order.count)"
            return request.redirect(
                to: CategoryTiming.board(request, at: id),
                Flash(CategoryFlash.sentence(outcome, done: words, waits: words)))
        }
    }

    private static func order(_ request: AdminRequest) async throws -> Response {
        var errors = FieldErrors()
        var places: [OrderCategories.Place] = []
        let prefix = "position."
        for field in request.form.fields where field.name.hasPrefix(prefix) {
            guard let id = ID<Entry>(String(field.name.dropFirst(prefix.count))),
                let was = request.form.first("was.\(id)").flatMap({ Int($0) })
            else { continue }
            if let position = Int(PlainText.singleLine(field.value)), OrderCategories.places.contains(position) {
                places.append(OrderCategories.Place(category: id, was: was, position: position))
            } else {
                errors.add("/position-\(id)", "format", "A place is a whole number from 0 to 1000000.")
            }
        }
        if !errors.isEmpty { return try await CategoryPages.list(request, errors: errors) }
        let first = places.first.map { "/position-\($0.category)" } ?? ""
        let controls = { (value: StaleValue) in
            StalePage.Controls(value: prefix + value.key, was: "was.\(value.key)")
        }
        return try await showing(request, at: first, controls: controls) { [places] in
            let outcome = try await OrderCategories(database: request.database, rules: request.context.rules)(
                places, CategoryTiming.read(request), by: request.actor)
            return request.redirect(to: CategoryTiming.board(request), Flash(sentence(outcome)))
        }
    }

    private static func sentence(_ outcome: EditOutcome) -> String {
        if let release = outcome.release { return "The new order goes live with release \(release)." }
        let moved = outcome.published + outcome.drafts
        guard let publication = outcome.publication else {
            return
                "\(counted(moved)) moved, as drafts: readers see the new order after they are approved and published."
        }
        let rest =
            outcome.drafts == 0
            ? "" : " \(counted(outcome.drafts)) of them not live, so the new place waits as a draft."
        return "\(counted(moved)) moved (publication \(publication)).\(rest)"
    }

    private static func counted(_ number: Int) -> String {
        number == 1 ? "1 category is" : "\(number) categories are"
    }

    /// To the other group.
    private static func move(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        guard let old = request.form.first("was").flatMap({ ID<Entry>($0) }),
            let group = request.form.first("group").flatMap({ ID<Entry>($0) })
        else { throw Failure.invalid(FieldErrors("/group", "required", "Choose one of the two groups.")) }
        let controls = { (_: StaleValue) in StalePage.Controls(value: nil, was: "was") }
        return try await showing(request, at: "/rename-\(id)", controls: controls) {
            let outcome = try await MoveCategory(database: request.database, rules: request.context.rules)(
                id, from: old, to: group, CategoryTiming.read(request), by: request.actor)
            let title = try await CategoryPages.groups(request.database).first { $0.id == group }?.title ?? ""
            return request.redirect(
                to: CategoryTiming.board(request, at: id),
                Flash(
                    CategoryFlash.sentence(
                        outcome, done: "It is the last in \(title) now", waits: "It is to be the last in \(title)")))
        }
    }

    /// Unmerges a category.
    private static func part(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        return try await showing(request, at: "/main") {
            let outcome = try await MergeCategory(database: request.database, rules: request.context.rules).part(
                id, CategoryTiming.read(request), by: request.actor)
            return request.redirect(
                to: CategoryTiming.board(request, at: id),
                Flash(
                    CategoryFlash.sentence(
                        outcome, done: "It stands for itself again, with the members that it had",
                        waits: "It is to stand for itself again"),
                    link: "/entries/\(id)", linkLabel: "Open it"))
        }
    }

    /// Runs an action of this page; what it refuses is shown here, at the control it came from, with what was typed.
    private static func showing(
        _ request: AdminRequest, at pointer: String,
        controls: (StaleValue) -> StalePage.Controls = { _ in StalePage.Controls(value: nil, was: "was") },
        _ action: () async throws -> Response
    ) async throws -> Response {
        var errors = FieldErrors()
        do {
            return try await action()
        } catch Failure.stale(let values) {
            return try StalePage.response(
                values, request, heading: "Categories", back: "/categories", controls: controls)
        } catch Failure.invalid(let found) {
            for item in found.items { errors.add(pointer, item.code, item.message) }
        } catch Failure.refused(let code, let message) {
            errors.add(pointer, code, message)
        }
        return try await CategoryPages.list(request, errors: errors)
    }
}
