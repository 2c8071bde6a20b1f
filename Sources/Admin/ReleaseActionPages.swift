// What becomes of a release: published as its plan says, set for a time, canceled.
import Domain
import HTTP
import Publishing
import Store

enum ReleaseActionPages {
    static let routes = [
        AdminEndpoint(
            method: "POST", pattern: "/releases/{number}/publish", access: .may(.publish), handler: publish),
        AdminEndpoint(method: "POST", pattern: "/releases/{number}/schedule", access: .may(.publish), handler: schedule),
        AdminEndpoint(method: "POST", pattern: "/releases/{number}/cancel", access: .may(.publish), handler: cancel),
    ]

    /// Publishes exactly the plan that the page showed; when it is another one by now, that is shown instead.
    private static func publish(_ request: AdminRequest) async throws -> Response {
        let release = try await ReleasePages.find(request)
        do {
            let publication = try await PublishRelease(database: request.database).release(
                release.number, seen: request.form.first("seen") ?? "", by: request.actor)
            let sentence =
                publication.map { "Release \(release.number) is live: publication \($0)." }
                ?? "Release \(release.number) is published. Readers saw all of it before, so nothing changed for them."
            return request.redirect(to: "/releases/\(release.number)", Flash(sentence))
        } catch Failure.conflict("plan_moved", _) {
            return try await ReleasePages.show(request, hasMoved: true)
        }
    }

    private static func schedule(_ request: AdminRequest) async throws -> Response {
        let release = try await ReleasePages.find(request)
        let when = PublishTimingForm(request)
        do {
            var time: WallTime?
            if case .at(let wanted) = try await when.read(request) { time = wanted }
            try await ComposeRelease(database: request.database).schedule(
                release.number, at: time, was: request.form.first("was"), by: request.actor)
            let sentence =
                time == nil
                ? "Release \(release.number) has no time any more; it stays open."
                : "Release \(release.number) goes live at \(when.words)."
            return request.redirect(to: "/releases/\(release.number)", Flash(sentence))
        } catch Failure.invalid(let errors) {
            return try await ReleasePages.show(request, errors: errors)
        } catch Failure.stale(let values) {
            return try StalePage.response(
                values, request, heading: "Release \(release.number)", back: "/releases/\(release.number)"
            ) { _ in StalePage.Controls(value: nil, was: "was") }
        }
    }

    private static func cancel(_ request: AdminRequest) async throws -> Response {
        let release = try await ReleasePages.find(request)
        try await ComposeRelease(database: request.database).cancel(release.number, by: request.actor)
        return request.redirect(
            to: "/releases/\(release.number)",
            Flash("Release \(release.number) is canceled. What it held waits again for a publication."))
    }
}
