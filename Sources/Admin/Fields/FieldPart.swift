// One input of a field that has several: a time and its zone, a position, an image, a file.
import Domain
import Localization

struct FieldPart: Encodable, Sendable {
    private(set) var id: String
    let label: String
    var value: String
    let inputMode: String
    let isWide: Bool
    /// The type of the input.
    private(set) var type = "text"
    /// Not for people to fill in.
    private(set) var isHidden = false
    /// The control's limit of characters is that of this input.
    private(set) var isCounted = false
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

    /// An image of the library is its alternative text; the rest of it comes from the library.
    static func image(_ texts: [String], _ id: String) -> [FieldPart] {
        let labels = [
            (tr("URL", context: "field"), "url"), (tr("Alternative text"), "text"),
            (tr("Width", context: "checkboxes"), "numeric"), (tr("Height", context: "checkboxes"), "numeric"), ("", ""),
        ]
        let isChosen = texts.count > 4 && !texts[4].isEmpty
        return parts(labels, texts, id).enumerated().map { index, part in
            var part = part
            part.isHidden = index == 4 || isChosen && index != 1
            part.isCounted = index == 1
            // Errors lead to the first input that is shown.
            if isChosen, index == 1 { part.id = id }
            return part
        }
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
