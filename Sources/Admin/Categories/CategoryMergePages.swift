// Merges a category into another, or archives one: shows the plan, then runs it now, at a time or in a release.
import Domain
import HTTP
import Localization
import Operations
import Store

enum CategoryMergePages {
    private struct Choice: Encodable, Sendable {
        let id: ID<Entry>
        let label: String
        let isChosen: Bool
    }

    /// A release that the change can be added to.
    private struct Release: Encodable, Sendable {
        let number: Int64
        let title: String
        let time: String?

        init(_ row: ReleaseRow) {
            number = row.number
            title = row.title
            time = row.time
        }
    }

    /// `shared` and `sole` are nil instead of 0.
    private struct Members: Encodable, Sendable {
        let count: Int
        let shared: Int?
        let sole: Int?
        let sample: [CategoryMembers.Member]
        let isTruncated: Bool

        init(_ members: CategoryMembers) {
            count = members.count
            shared = members.shared == 0 ? nil : members.shared
            sole = members.sole == 0 ? nil : members.sole
            sample = members.sample
            isTruncated = sample.count == CategoryStore.sampleSize
        }
    }

    private struct Page: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let slug: String
        let choices: [Choice]
        /// The category to merge into; nil until it is chosen, and on the archive page.
        let target: ID<Entry>?
        let targetTitle: String
        let targetSlug: String
        let members: Members?
        let plan: PlanTable?
        let seen: String
        let refusal: String?
        let hasPlanChanged: Bool
        let releases: [Release]
        let when: PublishTimingForm
        let problem: ErrorSummary?
        let mayPublish: Bool
        let mayEditReleases: Bool
        let isUnsorted: Bool
        let unsorted: ID<Entry>
    }

    // MARK: Merge

    static func ask(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let (category, directory) = try await find(request)
        let target = request.text("target").flatMap { ID<Entry>($0) }.flatMap(directory.find)
        var errors = errors
        var preview: MergeCategory.Preview?
        if let target {
            do {
                preview = try await request.services.mergeCategory.preview(
                    category.id, into: target.id, limit: PlanTable.limit, by: request.actor)
            } catch Failure.refused(let code, let message) {
                if errors.isEmpty { errors.add("/target", code, message) }
            }
        }
        return try await page(
            "merge", request, category, directory, target, preview, errors: errors)
    }

    static func merge(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        guard let target = request.form.first("target").flatMap({ ID<Entry>($0) }) else {
            return try await ask(
                request, errors: FieldErrors("/target", "required", tr("Choose a category to merge into.")))
        }
        return try await request.submit(at: "/target", orShow: ask) {
            let timing = try await timing(request)
            let outcome = try await request.services.mergeCategory(
                id, into: target, timing, seen: timing == .now ? request.form.first("seen") : nil, by: request.actor)
            return request.redirect(
                to: AdminURL.categories() + "#row-\(target)",
                Flash(
                    outcome.message(
                        published: tr("Merged; its items are in this category and its URL redirects here"),
                        pending: tr("Merged", context: "page")),
                    link: AdminURL.entry(id), linkLabel: tr("View merged category")))
        }
    }

    // MARK: Archive

    static func askArchive(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let (category, directory) = try await find(request)
        guard category.isLive else {
            throw Failure.conflict(
                code: "not_live", message: tr("\(category.title) is not published."))
        }
        let preview = try await request.services.archiveCategory.preview(
            category.id, limit: PlanTable.limit)
        return try await page(
            "archive", request, category, directory, nil, preview, errors: errors)
    }

    static func archive(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        return try await request.submit(at: "/main", orShow: askArchive) {
            let timing = try await timing(request)
            let outcome = try await request.services.archiveCategory(
                id, timing, seen: timing == .now ? request.form.first("seen") : nil, by: request.actor)
            return request.redirect(
                to: AdminURL.categories(),
                Flash(
                    outcome.message(
                        published: tr("Archived; all versions are kept"), pending: tr("Archived", context: "page")),
                    link: AdminURL.entry(id), linkLabel: tr("View category")))
        }
    }

    // MARK: Both pages

    private static func find(_ request: AdminRequest) async throws -> (EntryChoice, CategoryDirectory) {
        let directory = try await CategoryDirectory.load(request.database)
        guard let category = directory.find(try request.id()) else { throw Failure.missing("category") }
        return (category, directory)
    }

    /// The timing requested by the pressed button.
    private static func timing(_ request: AdminRequest) async throws -> PublishTiming {
        let isRelease = request.form.first("action") == "release"
        let choice = request.form.first(isRelease ? "release" : "action")
        let form = PublishTimingForm(request)
        if let timing = try await PublishTimingForm.read(choice, local: form.local, zone: form.zone, request.database) {
            return timing
        }
        throw Failure.invalid(
            isRelease
                ? FieldErrors("/release", "required", tr("Choose a release."))
                : FieldErrors("/main", "required", tr("Choose when to publish.")))
    }

    private static func page(
        _ name: String, _ request: AdminRequest, _ category: EntryChoice, _ directory: CategoryDirectory,
        _ target: EntryChoice?, _ preview: MergeCategory.Preview?, errors: FieldErrors
    ) async throws -> Response {
        let actor = request.actor
        var releases: [Release] = []
        if actor.may(.createRelease) {
            let store = request.database.releases
            releases = try await (store.open(limit: 50) + store.scheduled(limit: 50)).map(Release.init)
        }
        let groups = try await CategoryPages.groups(request.database)
        var plan: PlanTable?
        if let found = preview?.plan { plan = try await PlanTable.load(found, request) }
        let verb = name == "merge" ? tr("Merge", context: "page") : tr("Archive", context: "page")
        let model = Page(
            id: category.id, title: category.title, slug: category.slug,
            choices: groups.flatMap { group in
                directory.unmerged(in: group.id).filter { $0.id != category.id && $0.isLive }.map {
                    Choice(id: $0.id, label: "\($0.title) (\(group.title))", isChosen: $0.id == target?.id)
                }
            },
            target: target?.id, targetTitle: target?.title ?? "", targetSlug: target?.slug ?? "",
            members: (preview?.members).map(Members.init),
            plan: plan,
            seen: preview?.plan?.digest ?? "", refusal: preview?.refusal, hasPlanChanged: errors.isPlanChanged,
            releases: releases,
            when: PublishTimingForm(request, label: tr("Schedule", context: "page"), errors: errors),
            problem: ErrorSummary(errors),
            mayPublish: actor.may(.publish, on: "category"), mayEditReleases: actor.may(.createRelease),
            isUnsorted: category.id == SeedEntry.unsorted, unsorted: SeedEntry.unsorted)
        return try request.page(
            "admin/categories/\(name)", model, title: "\(verb) \(category.title)", status: errors.status)
    }
}
