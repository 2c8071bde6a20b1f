// Updates the alternative text, the tags and the focal point of an image.
import Domain
import Localization
import Store

package struct UpdateMedia: Sendable {
    let database: Database

    /// Entries with this image use the new values in their next version: only publications change published content. `focus` is
    /// a point of the crop; without `tags`, they stay.
    package func callAsFunction(
        _ id: ID<Media>, alt: String, focus: FocalPoint, tags: [String]? = nil, by actor: Actor
    ) async throws {
        try actor.require(.suggest, tr("edit images"))
        try await database.access.require(actor, .image(id))
        let alt = try Self.checkedAlt(alt)
        let tags = try tags.map(Self.checkedTags)
        var detail: [String: JSONValue] = ["alt": .string(alt), "focus": focus.json]
        if let tags { detail["tags"] = .array(tags.map(JSONValue.string)) }
        let event = AuditEvent("media.update", on: "media", id.description, detail: detail)
        try await database.transaction(by: actor, event) { transaction in
            guard try await transaction.media.update(id, alt: alt, focus: focus, tags: tags) else {
                throw Failure.missing("image")
            }
        }
    }

    /// Adds the alternative texts of several images at once; the others are unchanged. Returns how many images were changed.
    package func callAsFunction(descriptions: [(id: ID<Media>, alt: String)], by actor: Actor) async throws -> Int {
        try actor.require(.suggest, tr("edit images"))
        var errors = FieldErrors()
        var checked: [(id: ID<Media>, alt: String)] = []
        for (id, written) in descriptions {
            let result = Result { () throws(Failure) in try Self.checkedAlt(written) }
            switch result {
            case .success(let alt): checked.append((id, alt))
            case .failure(.invalid(let found)):
                for item in found.items { errors.add("/alt.\(id)", item.code, item.message) }
            case .failure(let failure): throw failure
            }
        }
        try errors.throwIfAny()
        guard let first = checked.first else { return 0 }
        func event(_ item: (id: ID<Media>, alt: String)) -> AuditEvent {
            AuditEvent("media.update", on: "media", item.id.description, detail: ["alt": .string(item.alt)])
        }
        let events = checked.dropFirst().map { (event: event($0), actor: actor) }
        let texts = checked
        return try await database.transaction(by: actor, event(first)) { transaction in
            if !events.isEmpty { try await transaction.audit(events) }
            return try await transaction.media.describe(texts)
        }
    }

    /// Lowercase, sorted, each once: at most 20 of at most 40 characters.
    static func checkedTags(_ written: [String]) throws(Failure) -> [String] {
        let tags = Set(written.map { PlainText.singleLine($0).lowercased() }.filter { !$0.isEmpty }).sorted()
        let isAllowed = tags.allSatisfy { tag in
            tag.unicodeScalars.count <= 40
                && !tag.unicodeScalars.contains { $0 == "," || $0.properties.generalCategory == .control }
        }
        guard tags.count <= 20, isAllowed else {
            throw .invalid(
                FieldErrors("/tags", "too_long", tr("Enter at most 20 tags of 1 to 40 characters.")))
        }
        return tags
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
