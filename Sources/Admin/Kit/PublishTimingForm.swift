// The publish timing of a form: a button for the action, and fields for the date, time and time zone.
import Domain
import HTTP
import Store

/// The model of `admin/entries/publish-time.html`, with the submitted values.
struct PublishTimingForm: Encodable, Sendable {
    let local: String
    let zone: String
    /// The label of the schedule button.
    let label: String
    let mayApprove: Bool
    let mayPublish: Bool
    /// Whether the fields are shown at once: with a value or an error, or if something has to be scheduled again.
    let isExpanded: Bool
    let errors: TimeErrors

    init(
        _ request: AdminRequest, label: String = "", isExpanded: Bool = false, errors: FieldErrors = FieldErrors()
    ) {
        self.label = label
        local = request.text("local") ?? ""
        self.errors = TimeErrors(errors)
        self.isExpanded = isExpanded || !local.isEmpty || !self.errors.isEmpty
        zone = request.text("zone") ?? request.zone
        mayApprove = request.actor.may(.approve)
        mayPublish = PublishTiming.now.isAllowed(for: request.actor)
    }

    /// The timing of the pressed button (`action`); nil for another one. A time that has passed is an error at its date.
    func read(_ request: AdminRequest) async throws -> PublishTiming? {
        try await Self.read(request.form.first("action"), local: local, zone: zone, request.database)
    }

    /// The timing of a choice with its date, time and zone; nil without a choice.
    static func read(
        _ choice: String?, local: String, zone: String, _ database: Database
    ) async throws -> PublishTiming? {
        let timing = try PublishTiming(choice: choice ?? "", local: local, zone: zone)
        if let time = timing?.time { try await database.releases.requireFuture(time, at: "/publish/local") }
        return timing
    }
}
