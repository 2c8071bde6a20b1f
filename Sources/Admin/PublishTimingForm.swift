// When something goes live, as a form asks for it: a button says how, two fields say at what time and where.
import Domain
import HTTP
import Store

/// The model of `admin/entries/when.html`, with what was typed.
struct PublishTimingForm: Encodable, Sendable {
    let local: String
    let zone: String
    /// What the button for a time says.
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

    /// What the pressed button (`action`) asks for: nil leaves a draft. A time that has passed is refused, because nobody
    /// means it.
    func read(_ request: AdminRequest) async throws -> PublishTiming? {
        switch request.form.first("action") {
        case "approve": return .approveOnly
        case "now": return .now
        case "at":
            let time = try WallTime(local: local, zone: zone, pointer: "/publish_timing")
            if try await request.database.releases.instant(of: time).isPast {
                let sentence = "This time has passed in \(zone). Choose a later one, or publish now."
                throw Failure.invalid(FieldErrors("/publish_timing/local", "past", sentence))
            }
            return .at(time)
        default: return nil
        }
    }

    /// The time for sentences: `2026-11-20 18:00 Europe/London`.
    var words: String {
        "\(local.replacing("T", with: " ")) \(zone)"
    }
}
