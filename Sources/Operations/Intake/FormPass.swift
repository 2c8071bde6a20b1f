// The signed number of an opened submission form: proves when the page was opened, and lets it be sent once.
import Domain
import FoundationEssentials
import Platform

/// 43 characters in a hidden field. Nothing is stored for it, and no cookie is needed: the number is a UUID of version 7,
/// which contains the time, with a code over it (`LinkKey`). A submission has the number as its idempotency key, so the
/// database stores one submission for each.
package struct FormPass: Sendable {
    /// People need longer than this to fill in a form.
    package static let shortest: Duration = .seconds(3)
    /// A page that was open for longer is sent again with a new number.
    package static let longest: Duration = .seconds(24 * 3600)

    package let text: String
    package let idempotencyKey: String
    private let openedAt: Int64

    /// `openedAt` is a parameter for tests.
    package init(_ form: ID<SubmissionForm>, key: LinkKey, openedAt: Date = Date()) {
        let milliseconds = UInt64(max(0, openedAt.timeIntervalSince1970 * 1000))
        let time = (0..<6).reversed().map { UInt8(truncatingIfNeeded: milliseconds >> (8 * UInt64($0))) }
        let random = ID<FormPass>(UUIDv7.make())
        let id = ID<FormPass>(bytes: time + random.bytes.dropFirst(6)) ?? random
        self.init(id, text: nil, key: Self.key(key, form))
    }

    /// Nil for a text that is not the number of a page of this form.
    package init?(_ text: String, of form: ID<SubmissionForm>, key: LinkKey) {
        let key = Self.key(key, form)
        guard key.isValid(text, edition: 1), let id = LinkKey.id(in: text).flatMap({ ID<FormPass>(bytes: $0) }) else {
            return nil
        }
        self.init(id, text: text, key: key)
    }

    private init(_ id: ID<FormPass>, text: String?, key: LinkKey) {
        self.text = text ?? key.text(for: id.bytes, edition: 1)
        idempotencyKey = "form-\(id)"
        openedAt = id.bytes.prefix(6).reduce(0) { $0 << 8 | Int64($1) }
    }

    private static func key(_ key: LinkKey, _ form: ID<SubmissionForm>) -> LinkKey {
        key.key(for: "submission form \(form)")
    }

    /// How long the page has been open; negative if the clocks of two daemons differ.
    package func age(at now: Date = Date()) -> Duration {
        .milliseconds(Int64(now.timeIntervalSince1970 * 1000) - openedAt)
    }
}
