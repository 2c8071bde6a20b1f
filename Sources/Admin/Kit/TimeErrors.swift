// What is wrong with the date and time of a form, and with its time zone.
import Domain

/// The model of `partial/time-errors.html`; `partial/when.html` names the same at its fields.
struct TimeErrors: Encodable, Sendable {
    let local: [String]
    let zone: [String]

    var isEmpty: Bool { local.isEmpty && zone.isEmpty }

    init(_ errors: FieldErrors) {
        local = ["/publish", "/publish/local", "/local"].flatMap { errors.messages(at: $0) }
        zone = ["/publish/zone", "/zone"].flatMap { errors.messages(at: $0) }
    }
}
