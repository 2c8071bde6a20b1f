// The page that confirms another time of a release, with what else is planned then, and the undo.
import Domain
import HTTP
import Localization
import Operations
import Store

enum ReleaseTimePages {
    private struct Confirmation: Encodable, Sendable {
        let number: Int64
        let title: String
        /// Its time now; empty without one.
        let was: String
        let due: Instant?
        /// The local time that it has, if it is by another clock than the person's.
        let entered: String?
        let local: String
        let zone: String
        let errors: TimeErrors
        /// The proposed time; nil if there is none, or it is refused.
        let chosen: String?
        let nearby: String?
        let clockChange: String?
        /// Whether it would replace newer versions.
        let isOlder: Bool
        let replacesNewer: Bool
        /// The week of its time now.
        let back: String
        let problem: ErrorSummary?
    }

    /// Without a proposed time the form shows that of the release, by the clocks of the person.
    static func ask(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let release = try await ReleasePages.find(request)
        guard [.open, .scheduled, .failed].contains(release.state) else {
            throw Failure.releaseFinished(release.number, release.state)
        }
        let shown = try await request.database.schedule.local(of: release.number, in: request.zone)
        let (proposed, typed) = (request.text("local"), request.text("zone"))
        let zone = typed ?? request.zone
        let own = typed == nil ? shown?.replacing(" ", with: "T") : nil
        var errors = errors
        var chosen: WallTime?
        if errors.isEmpty, let proposed {
            do {
                let time = try WallTime(local: proposed, zone: zone, pointer: "/publish")
                try await request.database.releases.requireFuture(time, at: "/publish/local")
                chosen = time
            } catch Failure.invalid(let found) {
                errors = found
            }
        }
        var nearby: String?
        var clockChange: String?
        if let chosen {
            let near = try await ComposeRelease.near(chosen, except: release.number, request.database)
            nearby = ComposeRelease.sentence(about: near)
            clockChange = try await request.database.releases.clockChange(at: chosen)
        }
        let due = release.dueAt.map { Instant($0) }
        let model = Confirmation(
            number: release.number, title: release.title, was: release.wallTime, due: due,
            entered: due?.entered(release.wallTime), local: proposed ?? own ?? "", zone: zone,
            errors: TimeErrors(errors), chosen: chosen?.label, nearby: nearby, clockChange: clockChange,
            isOlder: try await request.database.releaseItems.checks(of: release.id).newer > 0,
            replacesNewer: request.form.first("replace_newer") != nil, back: week(of: shown),
            problem: ErrorSummary(errors))
        return try request.page(
            "admin/releases/time", model, title: tr("Schedule release \(release.number)", context: "release time"),
            status: errors.status)
    }

    /// The calendar of the week with a time of the person's zone; nil is today.
    private static func week(of local: String?) -> String {
        AdminURL.schedule(query: ["week": local.map { String($0.prefix(10)) }])
    }

    /// What else is planned near the time of a scheduled release.
    static func nearby(_ release: ReleaseRow, _ request: AdminRequest) async throws -> String? {
        guard release.state == .scheduled, let time = try time(of: release) else { return nil }
        let near = try await ComposeRelease.near(time, except: release.number, request.database)
        return ComposeRelease.sentence(about: near)
    }

    private static func time(of release: ReleaseRow) throws -> WallTime? {
        guard let local = release.localTime, let zone = release.zone else { return nil }
        return try WallTime(local: local.replacing(" ", with: "T"), zone: zone)
    }

    /// Leads back to the week of the new time; the message has both times, and an undo.
    static func moved(
        _ release: ReleaseRow, to time: WallTime, _ message: String, _ request: AdminRequest
    ) async throws -> Response {
        let shown = try await request.database.schedule.local(of: release.number, in: request.zone)
        let from = release.wallTime
        let sentence = from.isEmpty ? message : tr("\(message) It was scheduled for \(from).", context: "release time")
        let undo = AdminURL.releaseScheduleUndo(
            release.number,
            query: [
                "local": release.localTime?.replacing(" ", with: "T"), "zone": release.zone, "was": time.label,
                "replace_newer": request.form.first("replace_newer"),
            ])
        return request.redirect(
            to: week(of: shown),
            // A failed release has no time to go back to.
            Flash(sentence, undo: release.state == .failed ? nil : undo))
    }

    /// Restores the time before, unless it has changed since; a release that was open is open again.
    static func undo(_ request: AdminRequest) async throws -> Response {
        let release = try await ReleasePages.find(request)
        let query = request.query
        // Without the time that it undoes, it would unschedule whatever is scheduled.
        guard let was = query.first("was") else { throw Failure.missing("page") }
        return try await request.submit(orShow: ReleasePages.show) {
            let time = try query.first("local").map {
                try WallTime(local: $0, zone: query.first("zone") ?? "", pointer: "/publish")
            }
            try await request.services.composeRelease.schedule(
                release.number, at: time, was: was,
                replacesNewer: query.first("replace_newer") != nil, by: request.actor)
            let shown = try await request.database.schedule.local(of: release.number, in: request.zone)
            let message =
                time.map { tr("Release \(release.number) scheduled for \($0.label) again.") }
                ?? tr("Release \(release.number) unscheduled. It stays open.")
            return request.redirect(to: week(of: shown), Flash(message))
        }
    }
}
