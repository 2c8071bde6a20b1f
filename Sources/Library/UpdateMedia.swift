// Updates the alternative text and the focal point of an image.
import Domain
import Localization
import Store

package struct UpdateMedia: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Entries with this image use the new values in their next version: only publications change published content.
    package func callAsFunction(_ id: ID<Media>, alt: String, focus: FocalPoint, by actor: Actor) async throws {
        try actor.require(.suggest, tr("edit images"))
        let alt = try Self.checkedAlt(alt)
        let event = AuditEvent(
            "media.update", on: "media", id.description, detail: ["alt": .string(alt), "focus": focus.json])
        try await database.transaction(by: actor, event) { transaction in
            guard try await transaction.media.update(id, alt: alt, focus: focus) else { throw Failure.missing("image") }
        }
    }

    /// One line of at most 500 characters; it may be empty until an entry with the image is published.
    static func checkedAlt(_ written: String) throws(Failure) -> String {
        if written.utf8.contains(0) {
            throw .invalid(FieldErrors("/alt", "control_characters", tr("Remove the NUL characters.")))
        }
        let alt = PlainText.singleLine(written)
        if alt.unicodeScalars.count > 500 {
            throw .invalid(FieldErrors("/alt", "too_long", tr("Enter at most 500 characters.")))
        }
        return alt
    }

    /// The last part of the uploaded file's name: shown and searched, never used as a path (S37).
    static func cleanedName(_ written: String) -> String {
        let last = written.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let visible = PlainText.singleLine(last).unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        return String(String.UnicodeScalarView(visible.prefix(200)))
    }
}
