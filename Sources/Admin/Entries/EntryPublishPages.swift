// Approves, publishes and unpublishes an entry, now or at a time.
import Domain
import HTTP
import Localization
import Operations
import Store

enum EntryPublishPages {
    static func approve(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        let when = PublishTimingForm(request)
        return try await request.submit(orShow: EntryPages.show) {
            let publishTiming = try await when.read(request) ?? .approveOnly
            let outcome = try await request.services.writeEntry.approve(
                id, number: try request.integer("number"), publishTiming: publishTiming, by: request.actor)
            // The page of a release has the same form.
            let release = request.form.first("release").flatMap { Int64($0) }
            return request.redirect(
                to: release.map { AdminURL.release($0) } ?? AdminURL.entry(id), Flash(outcome, publishTiming))
        }
    }

    /// Publishes the approved revision that the page showed, even if a newer draft exists.
    static func publish(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        let when = PublishTimingForm(request)
        return try await request.submit(orShow: EntryPages.show) {
            let publishTiming = try await when.read(request) ?? .now
            let outcome = try await request.services.writeEntry.publish(
                id, number: try request.integer("number"), publishTiming: publishTiming, by: request.actor)
            return request.redirect(to: AdminURL.entry(id), Flash(outcome, publishTiming))
        }
    }

    // MARK: Unpublishing

    private struct Confirmation: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let live: Int
        let plan: PlanTable
        let when: PublishTimingForm
        let problem: ErrorSummary?
    }

    /// Shows the plan before unpublishing.
    static func ask(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let (entry, _) = try await EntryPages.find(request)
        guard let live = entry.live else {
            throw Failure.conflict(
                code: "not_live", message: tr("This entry is not published."))
        }
        let plan = try await request.services.publishRelease.plan(
            .listed([LiveChange(entry: entry.id, revision: nil)]), limit: PlanTable.limit)
        let model = Confirmation(
            id: entry.id, title: EntryPages.shown(entry.title), live: live,
            plan: try await PlanTable.load(plan, request),
            when: PublishTimingForm(request, label: tr("Schedule", context: "confirmation"), errors: errors),
            problem: ErrorSummary(errors))
        return try request.page(
            "admin/entries/unpublish", model, title: tr("Unpublish \(model.title)", context: "confirmation"),
            status: errors.status, type: entry.type)
    }

    static func unpublish(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        let when = PublishTimingForm(request)
        return try await request.submit(orShow: ask) {
            let publishTiming = try await when.read(request) ?? .now
            let outcome = try await request.services.writeEntry.unpublish(
                id, publishTiming: publishTiming, by: request.actor)
            let sentence =
                outcome.release.map { tr("Unpublishing scheduled for \(outcome.time?.label ?? "") (release \($0)).") }
                ?? tr("Unpublished. All versions are kept.")
            return request.redirect(to: AdminURL.entry(id), Flash(sentence))
        }
    }
}
