// Enumerations as templates see them: with their label and the color of their tag.
import Domain
import Markup

/// `{{state.label}}` is its text, `{{state.tone}}` the class of its tag, `{{state.value}}` what the API calls it.
package protocol LabeledChoice: TemplateConvertible, RawRepresentable<String> {
    var label: String { get }
    var tone: String { get }
}

extension LabeledChoice {
    package var tone: String { "" }

    package var templateModel: any Encodable { ["value": rawValue, "label": label, "tone": tone] }
}

extension AccountState: LabeledChoice {
    package var tone: String {
        switch self {
        case .active: "ok"
        case .invited: "wait"
        case .disabled: ""
        }
    }
}

extension WebhookEvent: LabeledChoice {}

extension WebhookState: LabeledChoice {
    package var tone: String {
        switch self {
        case .active: "ok"
        case .paused: "wait"
        case .disabled: "bad"
        }
    }
}

extension WebhookDeliveryState: LabeledChoice {
    package var label: String { BackgroundTaskState.label(of: rawValue) }
    package var tone: String { BackgroundTaskState(result: rawValue).tone }
}

extension BackgroundTaskKind: LabeledChoice {}

extension BackgroundTaskState: LabeledChoice {
    package var tone: String {
        switch self {
        case .waiting: "wait"
        case .done: "ok"
        case .failed: "bad"
        case .canceled: ""
        }
    }
}
