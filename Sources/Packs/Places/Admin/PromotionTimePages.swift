// The page that confirms other times of a promotion, and the undo.
import Admin
import Domain
import HTTP
import Localization
import Operations
import Store

enum PromotionTimePages {
    private struct Confirmation: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let base: Int
        /// By the clocks of the zone.
        let wasStart, wasEnd, wasZone: String
        let starts, ends: String
        let zone: String
        let startErrors, endErrors, zoneErrors: [String]
        /// Whether readers see the new times at once.
        let isPublished: Bool
        /// The week of its start now.
        let back: String
        let problem: ErrorSummary?
    }

    /// `starts` and `ends` are chosen times; `local` is a start that the end follows. After a conflict the form is on top of
    /// the newest version, whose times it shows.
    static func ask(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let id: ID<Entry> = try request.id()
        let newest = try await request.services.movePromotion.newest(of: id)
        let times = MovePromotion.Times(of: newest)
        let typed = request.text("zone") ?? request.zone
        let zone = try await request.database.zones.contains(typed) ? typed : request.zone
        func local(_ instant: String) async throws -> String {
            try await request.database.promotions.local(instant, in: zone)?.replacing(" ", with: "T") ?? ""
        }
        let (wasStart, wasEnd) = (try await local(times.starts), try await local(times.ends))
        /// An undo that is refused has instants instead of local times.
        func entered(_ name: String) async throws -> String? {
            guard let text = request.text(name) else { return nil }
            let shown = try await local(text)
            return shown.isEmpty ? text : shown
        }
        var (starts, ends) = (try await entered("starts") ?? wasStart, try await entered("ends") ?? wasEnd)
        if let moved = request.text("local") {
            starts = moved
            ends = try await request.database.promotions.shifted(wasEnd, from: wasStart, to: moved) ?? wasEnd
        }
        let isStale = errors.items.contains { $0.code == "stale" }
        let model = Confirmation(
            id: id, title: EntryPages.shown(newest.content.fields["title"]?.stringValue ?? ""),
            base: isStale ? newest.number : request.form.first("base").flatMap { Int($0) } ?? newest.number,
            wasStart: wasStart.replacing("T", with: " "), wasEnd: wasEnd.replacing("T", with: " "), wasZone: zone,
            starts: starts, ends: ends, zone: typed, startErrors: errors.messages(at: "/fields/starts_at"),
            endErrors: errors.messages(at: "/fields/ends_at"), zoneErrors: errors.messages(at: "/publish/zone"),
            isPublished: newest.isLive && PublishTiming.now.isAllowed(for: request.actor),
            back: try await week(of: times, request),
            problem: ErrorSummary(errors, ids: ["/fields/starts_at": "starts", "/fields/ends_at": "ends"]))
        return try request.page(
            "packs/places/promotions/time", model, title: tr("Move \(model.title)", context: "promotion time"),
            status: errors.status)
    }

    static func move(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        return try await request.submit(orShow: ask) {
            let zone = request.text("zone") ?? request.zone
            let before = MovePromotion.Times(of: try await request.services.movePromotion.newest(of: id))
            let times = MovePromotion.Times(
                starts: try await instant(request.text("starts") ?? "", zone, "/fields/starts_at", request),
                ends: try await instant(request.text("ends") ?? "", zone, "/fields/ends_at", request))
            let outcome = try await moving(id, to: times, request)
            let undo = PlacesURL.promotionScheduleUndo(
                id, query: ["starts": before.starts, "ends": before.ends, "base": outcome.revision])
            return try await response(id, outcome, undo: undo, request)
        }
    }

    /// Writes the times before as one more version, unless there is a newer one.
    static func undo(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        let query = request.query
        return try await request.submit(orShow: ask) {
            let times = MovePromotion.Times(starts: query.first("starts") ?? "", ends: query.first("ends") ?? "")
            let outcome = try await moving(id, to: times, request)
            return try await response(id, outcome, undo: nil, request)
        }
    }

    /// After a conflict the page shows the newest version, so that nobody has to open it again.
    private static func moving(
        _ id: ID<Entry>, to times: MovePromotion.Times, _ request: AdminRequest
    ) async throws -> ChangeOutcome {
        let move = request.services.movePromotion
        do {
            return try await move(id, to: times, base: try request.integer("base"), by: request.actor)
        } catch Failure.conflict("stale", _) {
            let newest = try await move.newest(of: id)
            let author = ActorName.shown(newest.author)
            throw Failure.conflict(
                code: "stale",
                message: tr(
                    "\(author) saved version \(newest.number) meanwhile. Check the times and move it again."))
        }
    }

    /// The calendar of the week in which it starts.
    private static func week(of times: MovePromotion.Times, _ request: AdminRequest) async throws -> String {
        let start = try await request.database.promotions.local(times.starts, in: request.zone)
        return AdminURL.schedule(query: ["week": start.map { String($0.prefix(10)) }])
    }

    private static func response(
        _ id: ID<Entry>, _ outcome: ChangeOutcome, undo: String?, _ request: AdminRequest
    ) async throws -> Response {
        let times = MovePromotion.Times(of: try await request.services.movePromotion.newest(of: id))
        let promotions = request.database.promotions
        let starts = try await promotions.local(times.starts, in: request.zone) ?? ""
        let ends = try await promotions.local(times.ends, in: request.zone) ?? ""
        let message =
            outcome.publication == nil
            ? tr("Draft saved: the promotion lasts from \(starts) to \(ends) \(request.zone).")
            : tr("The promotion lasts from \(starts) to \(ends) \(request.zone).")
        return request.redirect(
            to: AdminURL.schedule(query: ["week": String(starts.prefix(10))]), Flash(message, undo: undo))
    }

    /// A local time with the offset of its zone then.
    private static func instant(
        _ local: String, _ zone: String, _ pointer: String, _ request: AdminRequest
    ) async throws -> String {
        let time = try wallTime(local, zone, pointer)
        guard let minutes = try await request.database.zones.offsets(of: [time]).first ?? nil else {
            throw Failure.invalid(FieldErrors("/publish/zone", "format", tr("There is no time zone named \(zone).")))
        }
        return time.local + DateTimeText.offset(minutes: minutes)
    }

    /// Errors of the time are at `pointer`.
    private static func wallTime(_ local: String, _ zone: String, _ pointer: String) throws -> WallTime {
        do {
            return try WallTime(local: local, zone: zone, pointer: "/publish")
        } catch {
            guard case .invalid(let errors) = error, let first = errors.items.first else { throw error }
            throw Failure.invalid(
                FieldErrors(first.pointer == "/publish/zone" ? first.pointer : pointer, "format", first.message))
        }
    }
}
