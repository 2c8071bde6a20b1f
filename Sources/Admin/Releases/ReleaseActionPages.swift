// The actions on a release: publish, schedule, unschedule, cancel.
import Domain
import HTTP
import Localization
import Operations
import Store

enum ReleaseActionPages {
    /// Publishes the plan that was shown, or shows the new plan if it has changed.
    static func publish(_ request: AdminRequest) async throws -> Response {
        let release = try await ReleasePages.find(request)
        return try await request.submit(orShow: ReleasePages.show) {
            let publication = try await request.services.publishRelease.release(
                release.number, seen: request.form.first("seen") ?? "", by: request.actor)
            let message =
                publication.map { tr("Release \(release.number) published in publication \($0).") }
                ?? tr("Release \(release.number) published. Nothing changed for readers.")
            return request.redirect(to: AdminURL.release(release.number), Flash(message))
        }
    }

    static func schedule(_ request: AdminRequest) async throws -> Response {
        let release = try await ReleasePages.find(request)
        let form = PublishTimingForm(request)
        // The page that confirms a time which the calendar has proposed.
        let isMove = request.form.first("return") == "schedule"
        return try await request.submit(
            orShow: isMove ? ReleaseTimePages.ask : ReleasePages.show, stale: { try stale($0, release, request) }
        ) {
            let time = try await form.read(request)?.time
            let outcome = try await request.services.composeRelease.schedule(
                release.number, at: time, was: request.form.first("was"),
                // The checkbox that is shown if entries are published in newer versions.
                replacesNewer: request.form.first("replace_newer") != nil, by: request.actor)
            let message =
                time.map { tr("Release \(release.number) scheduled for \($0.label).") }
                .map { $0 + (outcome.problems.first.map { tr(" It will fail unless you fix it before: \($0)") } ?? "") }
                .map { ([$0] + outcome.notes).joined(separator: " ") }
                ?? tr("Release \(release.number) unscheduled. It stays open.")
            guard isMove, let time else {
                return request.redirect(to: AdminURL.release(release.number), Flash(message))
            }
            return try await ReleaseTimePages.moved(release, to: time, message, request)
        }
    }

    static func stale(_ values: [StaleValue], _ release: ReleaseRow, _ request: AdminRequest) throws -> Response {
        try StalePage.response(
            values, request, heading: tr("Release \(release.number)", context: "release action pages"),
            back: AdminURL.release(release.number))
    }

    static func cancel(_ request: AdminRequest) async throws -> Response {
        let release = try await ReleasePages.find(request)
        try await request.services.composeRelease.cancel(release.number, by: request.actor)
        return request.redirect(
            to: AdminURL.release(release.number),
            Flash(tr("Release \(release.number) canceled. Its approved versions are pending again.")))
    }
}
