// One input of a field that has several: a time and its zone, a position, a file.
import Domain
import Localization

struct FieldPart: Encodable, Sendable {
    let id: String
    let label: String
    var value: String
    let inputMode: String
    let isWide: Bool
    /// The type of the input.
    private(set) var type = "text"
    /// The name of a time zone, in an input of its own name.
    private(set) var isZone = false

    /// Local time and zone. A text that is no date and time is shown as it was typed.
    static func dateAndTime(_ texts: [String], _ id: String) -> [FieldPart] {
        let local = texts.first ?? ""
        var time = FieldPart(id: id, label: tr("Date and time"), value: local, inputMode: "", isWide: false)
        if DateTimeText.isLocal(local) { time.type = "datetime-local" }
        var zone = FieldPart(
            id: "\(id)-1", label: tr("Time zone", context: "field"),
            value: DateTimeText.zone(ofOffset: texts.dropFirst().last ?? ZoneName.standard), inputMode: "",
            isWide: false)
        zone.isZone = true
        return [time, zone]
    }

    static func position(_ texts: [String], _ id: String) -> [FieldPart] {
        parts(
            [
                (tr("Latitude", context: "checkboxes"), "decimal"), (tr("Longitude", context: "checkboxes"), "decimal"),
            ], texts, id)
    }

    static func file(_ texts: [String], _ id: String) -> [FieldPart] {
        parts(
            [
                (tr("URL", context: "field"), "url"), (tr("Media type"), "text"),
                (tr("Bytes", context: "checkboxes"), "numeric"),
            ], texts, id)
    }

    private static func parts(_ labels: [(String, String)], _ texts: [String], _ id: String) -> [FieldPart] {
        labels.enumerated().map { index, label in
            FieldPart(
                id: index == 0 ? id : "\(id)-\(index)", label: label.0,
                value: index < texts.count ? texts[index] : "", inputMode: label.1,
                isWide: label.1 == "url" || label.1 == "text")
        }
    }
}
