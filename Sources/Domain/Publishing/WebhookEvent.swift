// What webhooks are told, the states of a webhook and of a message, and when a message is tried again.

package enum WebhookEvent: String, Sendable, CaseIterable, Codable {
    /// An entry went live.
    case entryPublished = "entry.published"
    /// A live entry shows another version.
    case entryUpdated = "entry.updated"
    /// An entry is gone.
    case entryWithdrawn = "entry.unpublished"
    /// A scheduled release could not be published.
    case releaseFailed = "release.failed"
    /// A submission was accepted, rejected or returned, and its grace time is over.
    case submissionDecided = "submission.decided"
    /// Somebody tries whether the webhook works.
    case test = "webhook.test"

    /// What a webhook can ask for; a test comes unasked.
    package static let subscribable: [WebhookEvent] = [
        .entryPublished, .entryUpdated, .entryWithdrawn, .releaseFailed, .submissionDecided,
    ]

    package var label: String {
        switch self {
        case .entryPublished: "an entry goes live"
        case .entryUpdated: "a live entry changes"
        case .entryWithdrawn: "an entry is withdrawn"
        case .releaseFailed: "a scheduled release fails"
        case .submissionDecided: "a submission is decided"
        case .test: "a test"
        }
    }
}

/// `active` is told, `paused` is told later, `disabled` is not told.
package enum WebhookState: String, Sendable, CaseIterable, Codable {
    case active, paused, disabled
}

package enum WebhookDeliveryState: String, Sendable, CaseIterable, Codable {
    /// Not delivered so far.
    case waiting
    case delivered
    /// Given up.
    case failed
}

/// When a message that was not taken is sent again.
package struct WebhookRetries: Sendable {
    /// After the first attempt, the second and so on; after the last the message is given up.
    package let seconds: [Int]

    package init(seconds: [Int]) {
        self.seconds = seconds
    }

    /// Standard Webhooks 1.0: about three days in all.
    package static let standard = WebhookRetries(seconds: [
        5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ])

    /// Seconds until the next attempt after `attempts` of them, spread by up to a tenth so that not all come back at
    /// once; nil when there is none. `chance` is between 0 and 1.
    package func delay(after attempts: Int, chance: Double) -> Double? {
        guard attempts >= 1, attempts <= seconds.count else { return nil }
        return Double(seconds[attempts - 1]) * (1 + chance / 10)
    }
}
