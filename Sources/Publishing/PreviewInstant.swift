// Makes, opens, approves and revokes links to the read image of another instant.
import Domain
import Platform
import Store

package struct PreviewInstant: Sendable {
    /// A link holds for this many days at most.
    package static let maximumDays = 90

    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Makes a preview of an instant: its id, and the token for the link, which is not stored and cannot be shown again.
    package func make(
        title: String, at time: WallTime, days: Int, by actor: Actor
    ) async throws -> (id: ID<Preview>, token: Token) {
        try actor.require(.makeRelease, "make previews")
        let title = PlainText.singleLine(title)
        var errors = FieldErrors()
        if !(1...300).contains(title.count) {
            errors.add("/title", "length", "Give the preview a title of 1 to 300 characters.")
        }
        if !(1...Self.maximumDays).contains(days) {
            errors.add("/days", "range", "A link may hold for 1 to \(Self.maximumDays) days.")
        }
        guard errors.isEmpty else { throw Failure.invalid(errors) }
        _ = try await database.releases.instant(of: time)
        let token = Token.make()
        let event = AuditEvent(
            "preview.create", on: "preview", detail: ["local": .string(time.local), "zone": .string(time.zone)])
        let id = try await database.change(by: actor, event) { change in
            try await change.previews.add(title: title, at: time, days: days, tokenHash: token.hash, by: actor)
        }
        return (id, token)
    }

    /// Opens a link: nil when it never was one, has expired or was revoked. What it shows is worked out anew where
    /// publications or the schedule have moved since it was last opened.
    package func open(_ token: Token) async throws -> PreviewRow? {
        guard let preview = try await database.previews.find(tokenHash: token.hash),
            try await database.previews.refresh(preview.id)
        else { return nil }
        return preview
    }

    /// Notes that somebody without an account agrees with what a link shows. It is told to the team; it is no consent
    /// that lets a version go live.
    package func approve(_ preview: PreviewRow, name: String, note: String, from address: String?) async throws {
        let name = PlainText.singleLine(name)
        var errors = FieldErrors()
        if !(1...200).contains(name.count) { errors.add("/name", "length", "Write your name, up to 200 characters.") }
        if note.count > 2000 { errors.add("/note", "length", "Write at most 2,000 characters.") }
        guard errors.isEmpty else { throw Failure.invalid(errors) }
        let visitor = Actor(kind: .system, name: "system", address: address)
        let event = AuditEvent(
            "preview.approve", on: "preview", preview.id.description, detail: ["name": .string(name)])
        try await database.change(by: visitor, event) { change in
            try await change.previews.approve(preview.id, name: name, note: note)
        }
    }

    /// Ends a link at once.
    package func revoke(_ id: ID<Preview>, by actor: Actor) async throws {
        try actor.require(.makeRelease, "revoke previews")
        guard try await database.previews.find(id) != nil else { throw Failure.missing("preview") }
        let revoked = try await database.change(by: actor, AuditEvent("preview.revoke", on: "preview", id.description))
        {
            try await $0.previews.revoke(id)
        }
        if !revoked { throw Failure.conflict(code: "revoked", message: "This link is revoked already.") }
    }
}
