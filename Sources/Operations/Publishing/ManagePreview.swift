// Creates, opens, approves and revokes preview links: the read tables as of another date.
import Domain
import Localization
import Platform
import Store

package struct ManagePreview: Sendable {
    /// The longest lifetime of a link, in days.
    package static let maximumDays = 90
    /// Approvals from one network within `window` minutes.
    package static let approvalsPerNetwork = 20
    private static let window = 15

    let database: Database

    /// Creates a preview of an instant. Returns its id and the token of its link; only the token's hash is stored.
    package func create(
        title: String, at time: WallTime, days: Int, by actor: Actor
    ) async throws -> (id: ID<Preview>, token: Token) {
        try actor.require(.createRelease, tr("create previews"))
        let title = PlainText.singleLine(title)
        var errors = FieldErrors()
        if !(1...300).contains(title.count) {
            errors.add("/title", "length", tr("Enter a title of 1 to 300 characters."))
        }
        if !(1...Self.maximumDays).contains(days) {
            errors.add("/days", "range", tr("Enter 1 to \(Self.maximumDays) days."))
        }
        guard errors.isEmpty else { throw Failure.invalid(errors) }
        _ = try await database.releases.instant(of: time)
        let token = Token.make()
        let event = AuditEvent(
            "preview.create", on: "preview", detail: ["local": .string(time.local), "zone": .string(time.zone)])
        let id = try await database.transaction(by: actor, event) { transaction in
            try await transaction.previews.add(title: title, at: time, days: days, tokenHash: token.hash, by: actor)
        }
        return (id, token)
    }

    /// Opens a link: nil when it is unknown, expired or revoked. Rebuilds the snapshot if publications or the schedule
    /// changed since it was last opened.
    package func open(_ token: Token) async throws -> PreviewRow? {
        guard let preview = try await database.previews.find(tokenHash: token.hash),
            try await database.previews.refresh(preview.id)
        else { return nil }
        return preview
    }

    /// Records the approval of a visitor without an account. It informs the team; it doesn't make a revision publishable.
    package func approve(_ preview: PreviewRow, name: String, note: String, from remoteAddress: String) async throws {
        let name = PlainText.singleLine(name)
        var errors = FieldErrors()
        if !(1...200).contains(name.count) {
            errors.add("/name", "length", tr("Enter your name, up to 200 characters."))
        }
        if note.count > 2000 { errors.add("/note", "length", tr("Use at most 2,000 characters.")) }
        guard errors.isEmpty else { throw Failure.invalid(errors) }
        try await database.attempts.admit(
            AttemptLimit.networks(of: remoteAddress, "preview-approval", most: Self.approvalsPerNetwork),
            minutes: Self.window)
        let network = ClientNetwork.all(of: remoteAddress)[0]
        let visitor = Actor(kind: .visitor, name: "visitor", remoteAddress: remoteAddress)
        let event = AuditEvent(
            "preview.approve", on: "preview", preview.id.description, detail: ["name": .string(name)])
        try await database.transaction(by: visitor, event) { transaction in
            try await transaction.previews.approve(preview.id, visitor: network, name: name, note: note)
        }
    }

    /// Revokes a link, effective immediately.
    package func revoke(_ id: ID<Preview>, by actor: Actor) async throws {
        try actor.require(.createRelease, tr("revoke previews"))
        guard try await database.previews.find(id) != nil else { throw Failure.missing("preview") }
        let revoked = try await database.transaction(
            by: actor, AuditEvent("preview.revoke", on: "preview", id.description)
        ) {
            try await $0.previews.revoke(id)
        }
        if !revoked { throw Failure.conflict(code: "revoked", message: tr("This link is already revoked.")) }
    }
}
