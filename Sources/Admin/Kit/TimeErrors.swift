// What is wrong with the date and time of a form, and with its time zone.
import Domain

/// The model of `partial/time-errors.html`; `partial/when.html` names the same at its fields.
struct TimeErrors: Encodable, Sendable {
    let local: [String]
    let zone: [String]
    /// The ids of the fields.
    let localID: String
    let zoneID: String

    var isEmpty: Bool { local.isEmpty && zone.isEmpty }

    /// Of a time to publish. `hasChoice`: the form shows at a field of its own what is wrong with the choice of a time.
    init(_ errors: FieldErrors, hasChoice: Bool = false) {
        self.init(
            local: ((hasChoice ? [] : ["/publish"]) + ["/publish/local", "/local"]).flatMap { errors.messages(at: $0) },
            zone: ["/publish/zone", "/zone"].flatMap { errors.messages(at: $0) })
    }

    /// Of a time until which something lasts. `prefix` begins the ids of the fields where a page has several of them.
    init(until errors: FieldErrors, prefix: String = "") {
        self.init(
            local: errors.messages(at: "/until/local"),
            zone: ["/until/zone", "/zone"].flatMap { errors.messages(at: $0) }, prefix: prefix)
    }

    private init(local: [String], zone: [String], prefix: String = "") {
        (self.local, self.zone) = (local, zone)
        (localID, zoneID) = (prefix + "local", prefix + "zone")
    }
}
