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

    init(_ request: AdminRequest, label: String = "") {
        self.label = label
        local = request.text("local") ?? ""
        zone = request.text("zone") ?? "UTC"
        mayApprove = request.actor.may(.approve)
        mayPublish = request.actor.may(.publish)
    }

    /// The timing of the pressed button (`action`); nil saves a draft. A time in the past is rejected as a mistake.
    func read(_ request: AdminRequest) async throws -> PublishTiming? {
        switch request.form.first("action") {
        case "approve": return .approveOnly
        case "now": return .now
        case "at":
            let time = try WallTime(local: local, zone: zone, pointer: "/publish")
            if try await request.database.releases.instant(of: time).isPast {
                let message = "This time has passed in \(zone). Choose a later time."
                throw Failure.invalid(FieldErrors("/publish/local", "past", message))
            }
            return .at(time)
        default: return nil
        }
    }

    /// The time for messages: `2026-11-20 18:00 Europe/London`.
    var timeText: String {
        "\(local.replacing("T", with: " ")) \(zone)"
    }
}
