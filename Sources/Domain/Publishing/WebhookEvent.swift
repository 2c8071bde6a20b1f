// The events of webhooks, and the states of a webhook and of a delivery.
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
    /// The reports of an entry were decided.
    case reportDecided = "report.decided"
    /// A test requested by an administrator.
    case test = "webhook.test"

    /// The events that a webhook can subscribe to; tests are always sent.
    package static let subscribable: [WebhookEvent] = [
        .entryPublished, .entryUpdated, .entryUnpublished, .releaseFailed, .submissionDecided, .reportDecided,
    ]

    package var label: String {
        switch self {
        case .entryPublished: tr("Entry published")
        case .entryUpdated: tr("Entry updated")
        case .entryUnpublished: tr("Entry unpublished")
        case .releaseFailed: tr("Scheduled release failed")
        case .submissionDecided: tr("Submission decided")
        case .reportDecided: tr("Report decided", context: "webhook event")
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

extension WebhookState {
    package var label: String {
        switch self {
        case .active: tr("Active", context: "webhook state")
        case .paused: tr("Paused", context: "webhook state")
        case .disabled: tr("Disabled", context: "webhook state")
        }
    }
}
