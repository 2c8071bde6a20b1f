// The two category groups side by side: adding, renaming and ordering categories, with exact live counts.
import Domain
import Editorial
import HTTP
import Store

enum CategoryPages {
    static let routes = [
        AdminRoute(method: "GET", pattern: "/categories", access: .may(.readQueue)) { try await list($0) },
        AdminRoute(method: "POST", pattern: "/categories", access: .may(.edit), handler: add),
        AdminRoute(method: "POST", pattern: "/categories/order", access: .may(.suggest), handler: order),
        AdminRoute(method: "POST", pattern: "/categories/{id}/name", access: .may(.suggest), handler: rename),
    ]

    /// Between the last category of a group and a new one.
    private static let step = 10

    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        /// What stands in the field: as typed, when it was refused.
        let name: String
        let position: Int
        let typedPosition: String
        let members: Int
        let isLive: Bool
        let isHidden: Bool
        let problems: [String]
    }

    private struct Group: Encodable, Sendable {
        let id: ID<Entry>
        let number: Int
        let title: String
        let typedName: String
        let problems: [String]
        let lines: [Line]
    }

    private struct List: Encodable, Sendable {
        let groups: [Group]
        let problem: ErrorSummary?
        let mayAdd: Bool
        let mayPublish: Bool
    }

    /// `errors` are at `/name-GROUP`, `/rename-ID` and `/position-ID`: the ids of the controls.
    private static func list(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let groups = try await groups(request.database)
        let categories = try await request.database.entries.choices(.category)
        let counts = try await request.database.entries.memberCounts("categories", of: categories.map(\.id))
        let form = request.form
        let model = List(
            groups: groups.enumerated().map { index, group in
                let members = categories.filter { $0.content["group"]?.stringValue == group.id.description }
                let isTyped = form.first("group") == group.id.description
                return Group(
                    id: group.id, number: index + 1, title: group.title,
                    typedName: isTyped ? form.first("name") ?? "" : "",
                    problems: errors.messages(at: "/name-\(index + 1)"),
                    lines: members.map { line($0, counts[$0.id] ?? 0, request, errors) })
            },
            problem: ErrorSummary(errors), mayAdd: request.actor.may(.edit), mayPublish: request.actor.may(.publish))
        return try request.page(
            "admin/categories/list", model, title: (errors.isEmpty ? "" : "Error: ") + "Categories",
            status: errors.isEmpty ? 200 : 422)
    }

    /// Group 1 first.
    private static func groups(_ database: Database) async throws -> [EntryChoice] {
        try await database.entries.choices(.categoryGroup).sorted { number($0) < number($1) }
    }

    private static func number(_ group: EntryChoice) -> Int64 {
        if case .int(let number) = group.content["number"] { number } else { .max }
    }

    private static func line(
        _ category: EntryChoice, _ members: Int, _ request: AdminRequest, _ errors: FieldErrors
    ) -> Line {
        let position = position(of: category)
        let isRenamed = request.parameters["id"] == category.id.description
        return Line(
            id: category.id, title: category.title,
            name: isRenamed ? request.form.first("name") ?? category.title : category.title, position: position,
            typedPosition: request.form.first("position.\(category.id)") ?? String(position), members: members,
            isLive: category.isLive, isHidden: category.isLive && members == 0,
            problems: errors.messages(at: "/rename-\(category.id)") + errors.messages(at: "/position-\(category.id)"))
    }

    private static func position(of category: EntryChoice) -> Int {
        OrderCategories.position(in: Content(fields: category.content.objectValue ?? [:]))
    }

    // MARK: Acts

    private static func add(_ request: AdminRequest) async throws -> Response {
        let groups = try await groups(request.database)
        let chosen = request.form.first("group") ?? ""
        guard let index = groups.firstIndex(where: { $0.id.description == chosen }) else {
            throw Failure.refused(
                code: "two_groups",
                message: "There are exactly two category groups; a third cannot be made. Choose one of the two.")
        }
        guard let type = request.context.rules.types.all.first(where: { $0.kind == .category }) else {
            throw Failure.missing("content type for categories")
        }
        let members = try await request.database.entries.choices(.category).filter {
            $0.content["group"]?.stringValue == chosen
        }
        let last = members.map(position).max() ?? 0
        let name = request.form.first("name") ?? ""
        return try await showing(request, at: "/name-\(index + 1)") {
            let same = members.first { $0.title.lowercased() == PlainText.singleLine(name).lowercased() }
            if let same {
                throw Failure.refused(
                    code: "exists", message: "There is a category \(same.title) in this group already.")
            }
            let outcome = try await WriteEntry(database: request.database, rules: request.context.rules).create(
                type: type.name,
                fields: ["title": .string(name), "group": .string(chosen), "position": .int(Int64(last + step))],
                note: "added", goLive: request.actor.may(.publish) ? .now : nil, by: request.actor)
            let sentence =
                outcome.publication.map { "The category is added and live (publication \($0))." }
                ?? "The category is added as a draft: somebody who may publish has to approve it."
            return request.redirect(
                to: "/categories",
                Flash(
                    "\(sentence) The app shows it when something is in it.", link: "/entries/\(outcome.entry)",
                    linkLabel: "Open it"))
        }
    }

    private static func rename(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        let name = request.text("name") ?? ""
        let wasControl = StalePage.Controls(value: "name", was: "was")
        return try await showing(request, at: "/rename-\(id)", controls: { _ in wasControl }) {
            let outcome = try await RenameCategory(database: request.database, rules: request.context.rules)(
                id, from: request.form.first("was") ?? "", to: name, by: request.actor)
            let sentence =
                outcome.publication.map {
                    "It is called \(name) now (publication \($0)). Its old address leads to the new one."
                }
                ?? "The new name \(name) waits as a draft: readers see it after it is approved and published."
            return request.redirect(to: "/categories", Flash(sentence, link: "/entries/\(id)", linkLabel: "Open it"))
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
            if let position = Int(PlainText.singleLine(field.value)), (0...1_000_000).contains(position) {
                places.append(OrderCategories.Place(category: id, was: was, position: position))
            } else {
                errors.add("/position-\(id)", "format", "A place is a whole number from 0 to 1000000.")
            }
        }
        if !errors.isEmpty { return try await list(request, errors: errors) }
        let first = places.first.map { "/position-\($0.category)" } ?? ""
        let controls = { (value: StaleValue) in
            StalePage.Controls(value: prefix + value.key, was: "was.\(value.key)")
        }
        return try await showing(request, at: first, controls: controls) { [places] in
            let outcome = try await OrderCategories(database: request.database, rules: request.context.rules)(
                places, by: request.actor)
            return request.redirect(to: "/categories", Flash(sentence(outcome)))
        }
    }

    private static func sentence(_ outcome: CategoryOutcome) -> String {
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

    /// Runs an act of this page; what it refuses is shown here, at the control it came from, with what was typed.
    private static func showing(
        _ request: AdminRequest, at pointer: String,
        controls: (StaleValue) -> StalePage.Controls = { _ in StalePage.Controls(value: nil, was: "was") },
        _ act: () async throws -> Response
    ) async throws -> Response {
        var errors = FieldErrors()
        do {
            return try await act()
        } catch Failure.stale(let values) {
            return try StalePage.response(
                values, request, heading: "Categories", back: "/categories", controls: controls)
        } catch Failure.invalid(let found) {
            for item in found.items { errors.add(pointer, item.code, item.message) }
        } catch Failure.refused(let code, let message) {
            errors.add(pointer, code, message)
        }
        return try await list(request, errors: errors)
    }
}
