// Changes what is said of an image: its alternative text and the point that must stay visible.
import Domain
import Store

package struct MediaDescription: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Entries that show it take the change over with their next version: what is live changes by publications only.
    package func callAsFunction(_ id: ID<Media>, alt: String, focus: FocalPoint, by actor: Actor) async throws {
        try actor.require(.suggest, "describe images")
        let alt = try Self.checkedAlt(alt)
        let event = AuditEvent(
            "media.update", on: "media", id.description, detail: ["alt": .string(alt), "focus": focus.json])
        try await database.change(by: actor, event) { change in
            guard try await change.media.describe(id, alt: alt, focus: focus) else { throw Failure.missing("image") }
        }
    }

    /// One line of at most 500 characters; empty is allowed until something that shows the image is published.
    static func checkedAlt(_ written: String) throws(Failure) -> String {
        if written.utf8.contains(0) {
            throw .invalid(FieldErrors("/alt", "control_characters", "NUL characters are not allowed."))
        }
        let alt = PlainText.singleLine(written)
        if alt.unicodeScalars.count > 500 {
            throw .invalid(FieldErrors("/alt", "too_long", "At most 500 characters are allowed."))
        }
        return alt
    }

    /// The last part of what the sender called the file: for people who look for it, and for nothing else (S37).
    static func cleanedName(_ written: String) -> String {
        let last = written.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let visible = PlainText.singleLine(last).unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        return String(String.UnicodeScalarView(visible.prefix(200)))
    }
}
