// The category board: the two groups side by side, with their categories in order and exact counts of published items.
import Domain
import HTTP
import Localization
import Operations
import Store

enum CategoryPages {
    /// A category merged into one on the board.
    private struct Merged: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        /// The intermediate category, if it was merged indirectly.
        let via: String?
        let isLive: Bool
    }

    /// A possible duplicate: a category with a similar name.
    private struct Duplicate: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        /// The category of the row.
        let of: ID<Entry>
    }

    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let group: ID<Entry>
        /// The other group: its id and name.
        let otherGroup: ID<Entry>?
        let otherTitle: String
        /// The value of the field: the rejected input, if any.
        let name: String
        let position: Int
        /// The values of the buttons: the category, its position and its new index in the group, from 0; nil at the
        /// ends.
        let up: String?
        let down: String?
        /// Nil also where `up` leads there.
        let top: String?
        let members: Int
        let isLive: Bool
        let isHidden: Bool
        let isChanged: Bool
        let synonyms: String?
        let translations: String?
        let merged: [Merged]
        let duplicates: [Duplicate]
        let problems: [String]
    }

    private struct Group: Encodable, Sendable {
        let id: ID<Entry>
        let number: Int
        let title: String
        let name: String
        let typedName: String
        let renameProblems: [String]
        let problems: [String]
        let lines: [Line]
    }

    private struct List: Encodable, Sendable {
        let groups: [Group]
        let timing: CategoryTiming
        let problem: ErrorSummary?
        let mayCreate: Bool
        let mayPublish: Bool
        let mayArchive: Bool
    }

    /// `errors` have the pointers `/name-GROUP`, `/rename-ID` and `/position-ID`, the ids of the controls.
    static func list(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let groups = try await groups(request.database)
        let directory = try await CategoryDirectory.load(request.database)
        let counts = try await request.database.entries.memberCounts(
            "categories", of: directory.categories.map(\.id))
        let merged = directory.mergedByTarget()
        let similar = directory.similar()
        let model = List(
            groups: groups.enumerated().map { index, group in
                let isTyped = request.form.first("group") == group.id.description
                let members = directory.unmerged(in: group.id)
                let isRenamed = request.parameters["id"] == group.id.description
                return Group(
                    id: group.id, number: index + 1, title: group.title,
                    name: isRenamed ? request.form.first("name") ?? group.title : group.title,
                    typedName: isTyped ? request.form.first("name") ?? "" : "",
                    renameProblems: errors.messages(at: "/rename-\(group.id)"),
                    problems: errors.messages(at: "/name-\(index + 1)"),
                    lines: members.enumerated().map { index, category in
                        line(
                            category, at: index, of: members.count, counts[category.id] ?? 0,
                            other: groups.first { $0.id != group.id }, directory, merged[category.id] ?? [],
                            similar[category.id] ?? [], request, errors)
                    })
            },
            timing: try await CategoryTiming(request), problem: ErrorSummary(errors),
            mayCreate: request.actor.may(.edit, on: "category"),
            mayPublish: request.actor.may(.publish, on: "category"),
            mayArchive: request.actor.may(.createRelease))
        return try request.page(
            "admin/categories/list", model, title: tr("Categories", context: "list"),
            status: errors.status)
    }

    /// Group 1 first.
    static func groups(_ database: Database) async throws -> [EntryChoice] {
        try await database.entries.choices(.categoryGroup).sorted { number($0) < number($1) }
    }

    private static func number(_ group: EntryChoice) -> Int64 { group.content["number"]?.integerValue ?? .max }

    private static func line(
        _ category: EntryChoice, at index: Int, of count: Int, _ members: Int, other: EntryChoice?,
        _ directory: CategoryDirectory, _ merged: [EntryChoice], _ similar: [EntryChoice], _ request: AdminRequest,
        _ errors: FieldErrors
    ) -> Line {
        let id = category.id
        let position = category.position
        let isRenamed = request.parameters["id"] == id.description
        func step(to index: Int) -> String? {
            (0..<count).contains(index) ? "\(id) \(position) \(index)" : nil
        }
        func joined(_ list: [String]) -> String? { list.isEmpty ? nil : list.joined(separator: ", ") }
        return Line(
            id: id, title: category.title, group: category.categoryGroup ?? id, otherGroup: other?.id,
            otherTitle: other?.title ?? "",
            name: isRenamed ? request.form.first("name") ?? category.title : category.title, position: position,
            up: step(to: index - 1), down: step(to: index + 1), top: index > 1 ? step(to: 0) : nil, members: members,
            isLive: category.isLive, isHidden: category.isLive && members == 0,
            isChanged: category.isLive && !category.isCurrent,
            synonyms: joined(category.otherNames.synonyms),
            translations: joined(category.otherNames.translations.map { "\($0.name) (\(LanguageName.of($0.locale)))" }),
            merged: merged.map { category in
                Merged(
                    id: category.id, title: category.title,
                    via: category.mergedInto.flatMap { $0 == id ? nil : directory.find($0)?.title },
                    isLive: category.isLive && category.isCurrent)
            },
            duplicates: similar.map { Duplicate(id: $0.id, title: $0.title, of: id) },
            problems: errors.messages(at: "/rename-\(id)") + errors.messages(at: "/position-\(id)"))
    }
}
