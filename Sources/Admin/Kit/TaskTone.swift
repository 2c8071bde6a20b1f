// The color of a background task's state.
import Domain

extension BackgroundTaskState {
    var tone: String {
        switch self {
        case .waiting: "wait"
        case .done: "ok"
        case .failed: "bad"
        case .canceled: ""
        }
    }
}
