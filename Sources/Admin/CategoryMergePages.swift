// Merging a category into another, and retiring one: first exactly what moves, then now, at a time, or with a release.
import Domain
import Editorial
import HTTP
import Store

enum CategoryMergePages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/categories/{id}/merge", access: .may(.suggest)) { try await ask($0) },
        AdminEndpoint(method: "POST", pattern: "/categories/{id}/merge", access: .may(.suggest), handler: merge),
        AdminEndpoint(method: "GET", pattern: "/categories/{id}/archive", access: .may(.makeRelease)) {
            try await askArchive($0)
        },
        AdminEndpoint(
            method: "POST", pattern: "/categories/{id}/archive", access: .may(.makeRelease), handler: archive),
    ]

    private struct Choice: Encodable, Sendable {
        let id: ID<Entry>
        let label: String
        let isChosen: Bool
    }

    /// A release that may take the action up.
    private struct Release: Encodable, Sendable {
        let number: Int64
        let title: String
        let time: String?

        init(_ row: ReleaseRow) {
            number = row.number
            title = row.title
            time = row.wallTime.isEmpty ? nil : row.wallTime
        }
    }

    /// Numbers are nil where they are 0.
    private struct Members: Encodable, Sendable {
        let count: Int
        let shared: Int?
        let sole: Int?
        let sample: [CategoryMembers.Member]
        let isCut: Bool

        init(_ members: CategoryMembers) {
            count = members.count
            shared = members.shared == 0 ? nil : members.shared
            sole = members.sole == 0 ? nil : members.sole
            sample = members.sample
            isCut = sample.count == CategoryStore.sampleSize
        }
    }

    private struct Page: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let address: String
        let choices: [Choice]
        /// What it is to be merged into; nil until that is chosen, and where it is retired.
        let target: ID<Entry>?
        let targetTitle: String
        let targetAddress: String
        let members: Members?
        let plan: PlanTable?
        let seen: String
        let refusal: String?
        let hasMoved: Bool
        let releases: [Release]
        let when: PublishTimingForm
        let problem: ErrorSummary?
        let mayPublish: Bool
        let mayMake: Bool
        let isUnsorted: Bool
        let unsorted: ID<Entry>
    }

    // MARK: Merge

    private static func ask(
        _ request: AdminRequest, errors: FieldErrors = FieldErrors(), hasMoved: Bool = false
    ) async throws -> Response {
        let (category, directory) = try await find(request)
        let target = request.text("target").flatMap { ID<Entry>($0) }.flatMap(directory.find)
        var errors = errors
        var preview: MergeCategory.Preview?
        if let target {
            do {
                preview = try await MergeCategory(database: request.database, rules: request.context.rules).preview(
                    category.id, into: target.id, limit: PlanTable.limit, by: request.actor)
            } catch Failure.refused(let code, let message) {
                if errors.isEmpty { errors.add("/target", code, message) }
            }
        }
        return try await page(
            "merge", request, category, directory, target, preview, errors: errors, hasMoved: hasMoved)
    }

    private static func merge(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        guard let target = request.form.first("target").flatMap({ ID<Entry>($0) }) else {
            return try await ask(
                request, errors: FieldErrors("/target", "required", "Choose the category that it is merged into."))
        }
        do {
            let timing = try await timing(request)
            let outcome = try await MergeCategory(database: request.database, rules: request.context.rules)(
                id, into: target, timing, seen: timing == .now ? request.form.first("seen") : nil, by: request.actor)
            return request.redirect(
                to: "/categories#row-\(target)",
                Flash(
                    CategoryFlash.sentence(
                        outcome, done: "Merged: its members are here now, and its address leads here",
                        waits: "The merge waits"),
                    link: "/entries/\(id)", linkLabel: "Open what was merged"))
        } catch Failure.conflict(code: "plan_moved", _) {
            return try await ask(request, hasMoved: true)
        } catch Failure.invalid(let errors) {
            return try await ask(request, errors: errors)
        } catch Failure.refused(let code, let message) {
            return try await ask(request, errors: FieldErrors("/target", code, message))
        }
    }

    // MARK: Archive

    private static func askArchive(
        _ request: AdminRequest, errors: FieldErrors = FieldErrors(), hasMoved: Bool = false
    ) async throws -> Response {
        let (category, directory) = try await find(request)
        guard category.isLive else {
            throw Failure.conflict(
                code: "not_live", message: "\(category.title) is not live, so there is nothing to retire.")
        }
        let preview = try await ArchiveCategory(database: request.database).preview(
            category.id, limit: PlanTable.limit)
        return try await page(
            "retire", request, category, directory, nil, preview, errors: errors, hasMoved: hasMoved)
    }

    private static func archive(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        do {
            let timing = try await timing(request)
            let outcome = try await ArchiveCategory(database: request.database)(
                id, timing, seen: timing == .now ? request.form.first("seen") : nil, by: request.actor)
            return request.redirect(
                to: "/categories",
                Flash(
                    CategoryFlash.sentence(
                        outcome, done: "It is retired: readers do not see it any more, and all its versions are kept",
                        waits: "It is to be retired"),
                    link: "/entries/\(id)", linkLabel: "Open it"))
        } catch Failure.conflict(code: "plan_moved", _) {
            return try await askArchive(request, hasMoved: true)
        } catch Failure.invalid(let errors) {
            return try await askArchive(request, errors: errors)
        } catch Failure.refused(let code, let message) {
            return try await askArchive(request, errors: FieldErrors("/main", code, message))
        }
    }

    // MARK: What both share

    private static func find(_ request: AdminRequest) async throws -> (EntryChoice, CategoryDirectory) {
        let directory = try await CategoryDirectory.load(request.database)
        guard let category = directory.find(try request.id()) else { throw Failure.missing("category") }
        return (category, directory)
    }

    /// What the pressed button asks for.
    private static func timing(_ request: AdminRequest) async throws -> EditTiming {
        switch request.form.first("action") {
        case "release":
            guard let number = request.form.first("release").flatMap({ Int64($0) }) else {
                throw Failure.invalid(FieldErrors("/release", "required", "Choose a release, or make one first."))
            }
            return .release(number)
        case "draft": return .draft
        case nil:
            throw Failure.invalid(FieldErrors("/main", "required", "Choose when it is to go live."))
        default:
            if case .at(let time) = try await PublishTimingForm(request).read(request) { return .at(time) }
            return .now
        }
    }

    private static func page(
        _ name: String, _ request: AdminRequest, _ category: EntryChoice, _ directory: CategoryDirectory,
        _ target: EntryChoice?, _ preview: MergeCategory.Preview?, errors: FieldErrors, hasMoved: Bool
    ) async throws -> Response {
        let actor = request.actor
        var releases: [Release] = []
        if actor.may(.makeRelease) {
            let store = request.database.releases
            releases = try await (store.open(limit: 50) + store.scheduled(limit: 50)).map(Release.init)
        }
        let groups = try await CategoryPages.groups(request.database)
        let verb = name == "merge" ? "Merge" : "Archive"
        let model = Page(
            id: category.id, title: category.title, address: category.slug,
            choices: groups.flatMap { group in
                directory.unmerged(in: group.id).filter { $0.id != category.id && $0.isLive }.map {
                    Choice(id: $0.id, label: "\($0.title) (\(group.title))", isChosen: $0.id == target?.id)
                }
            },
            target: target?.id, targetTitle: target?.title ?? "", targetAddress: target?.slug ?? "",
            members: (preview?.members).map(Members.init), plan: (preview?.plan).map { PlanTable($0) },
            seen: preview?.plan?.digest ?? "", refusal: preview?.refusal, hasMoved: hasMoved, releases: releases,
            when: PublishTimingForm(request, label: "\(verb) at that time"), problem: ErrorSummary(errors),
            mayPublish: actor.may(.publish, on: "category"), mayMake: actor.may(.makeRelease),
            isUnsorted: category.id == SeedEntry.unsorted, unsorted: SeedEntry.unsorted)
        let isFine = errors.isEmpty && !hasMoved
        return try request.page(
            "admin/categories/\(name)", model, title: (isFine ? "" : "Error: ") + "\(verb) \(category.title)",
            status: hasMoved ? 409 : errors.isEmpty ? 200 : 422)
    }
}
