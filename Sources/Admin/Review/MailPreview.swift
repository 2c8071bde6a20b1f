// The email that a contributor gets about a decision, in their language, shown while the decision is written.
import Domain
import Localization
import Operations
import Store

struct MailPreview: Encodable, Sendable {
    struct Pair: Encodable, Sendable {
        let rejected: MailPreview
        let changesRequested: MailPreview
    }

    /// A part of the text; the reason and the message follow what is chosen and typed.
    struct Part: Encodable, Sendable {
        var text: String
        var isReason = false
        var isMessage = false
    }

    struct Reason: Encodable, Sendable {
        let value: String
        let text: String
    }

    /// The language of the text that was found.
    let locale: String
    let subject: String
    private(set) var parts: [Part]
    /// What each reason is called in this language.
    let reasons: [Reason]
    /// The text isn't published, so nothing is sent.
    let isMissing: Bool

    /// Characters that no text contains (`PlainText` removes them), to find the parts again.
    private static let (reasonMark, messageMark): (Character, Character) = ("\u{1}", "\u{2}")

    /// Nil without an email address, and for people who can't decide.
    static func load(_ request: AdminRequest, _ contributor: ContributorRow, title: String) async throws -> Pair? {
        guard contributor.email != nil, request.actor.may(.decide) else { return nil }
        return Pair(
            rejected: try await load(.outcomeRejected, request, contributor, title),
            changesRequested: try await load(.outcomeChangesRequested, request, contributor, title))
    }

    private static func load(
        _ text: MailText, _ request: AdminRequest, _ contributor: ContributorRow, _ title: String
    ) async throws -> MailPreview {
        let locale = NotifyContributors.locale(contributor.locale)
        let mails = request.database.mails
        let values = [
            "title": title, "name": contributor.name ?? "", "reason": String(reasonMark),
            "message": String(messageMark), "link": tr("[link to the status page]"),
        ]
        guard let found = try await mails.preview(text, in: locale, values) else {
            return MailPreview(locale: locale, subject: "", parts: [], reasons: [], isMissing: true)
        }
        var reasons: [Reason] = []
        if text.placeholders.contains("reason") {
            let texts = try await mails.reasons(RejectReason.allCases.map(\.rawValue), in: locale)
            reasons = RejectReason.allCases.map { Reason(value: $0.rawValue, text: texts[$0.rawValue] ?? $0.label) }
        }
        return MailPreview(
            locale: found.locale, subject: found.subject.filter { $0 != reasonMark && $0 != messageMark },
            parts: parts(found.body), reasons: reasons, isMissing: false)
    }

    private static func parts(_ body: String) -> [Part] {
        var parts = [Part(text: "")]
        for character in body {
            switch character {
            case reasonMark: parts += [Part(text: "", isReason: true), Part(text: "")]
            case messageMark: parts += [Part(text: "", isMessage: true), Part(text: "")]
            default: parts[parts.count - 1].text.append(character)
            }
        }
        return parts.filter { !$0.text.isEmpty || $0.isReason || $0.isMessage }
    }

    /// With what was typed so far.
    func filled(reason: String?, message: String) -> MailPreview {
        var preview = self
        for index in parts.indices {
            if parts[index].isReason { preview.parts[index].text = reasons.first { $0.value == reason }?.text ?? "…" }
            if parts[index].isMessage { preview.parts[index].text = message }
        }
        return preview
    }
}
