// The events of webhooks, the states of a webhook and of a delivery, and the retry schedule.
import Localization

package enum WebhookEvent: String, Sendable, CaseIterable, Codable {
    /// An entry was published.
    case entryPublished = "entry.published"
    /// A published entry shows another version.
    case entryUpdated = "entry.updated"
    /// An entry was unpublished.
    case entryUnpublished = "entry.unpublished"
    /// A scheduled release could not be published.
    case releaseFailed = "release.failed"
    /// A submission was decided and its undo window has passed.
    case submissionDecided = "submission.decided"
    /// A test requested by an administrator.
    case test = "webhook.test"

    /// The events that a webhook can subscribe to; tests are always sent.
    package static let subscribable: [WebhookEvent] = [
        .entryPublished, .entryUpdated, .entryUnpublished, .releaseFailed, .submissionDecided,
    ]

    package var label: String {
        switch self {
        case .entryPublished: tr("Entry published")
        case .entryUpdated: tr("Entry updated")
        case .entryUnpublished: tr("Entry unpublished")
        case .releaseFailed: tr("Scheduled release failed")
        case .submissionDecided: tr("Submission decided")
        case .test: tr("Test", context: "webhook event")
        }
    }
}

/// An `active` webhook receives deliveries, a `paused` one queues them, a `disabled` one misses them.
package enum WebhookState: String, Sendable, CaseIterable, Codable {
    case active, paused, disabled
}

package enum WebhookDeliveryState: String, Sendable, CaseIterable, Codable {
    /// Not yet delivered.
    case waiting
    case delivered
    /// No attempts left.
    case failed
}

/// When a failed delivery is retried.
package struct WebhookRetries: Sendable {
    /// Seconds to wait after the first attempt, the second and so on; after the last, the delivery has failed.
    package let seconds: [Int]

    package init(seconds: [Int]) {
        self.seconds = seconds
    }

    /// Standard Webhooks 1.0: about three days in all.
    package static let standard = WebhookRetries(seconds: [
        5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ])

    /// Seconds from attempt number `attempts` to the next, with up to a tenth of jitter; nil after the last. `chance`
    /// is
    /// between 0 and 1.
    package func delay(after attempts: Int, chance: Double) -> Double? {
        guard attempts >= 1, attempts <= seconds.count else { return nil }
        return Double(seconds[attempts - 1]) * (1 + chance / 10)
    }
}
