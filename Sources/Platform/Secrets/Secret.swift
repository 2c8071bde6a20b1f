// A text that must never be shown: in logs, errors and dumps it appears as [secret].
import FoundationEssentials

package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// The text itself, for the one place that needs it. Never log or print it.
    package func reveal() -> String {
        text
    }

    package var description: String { "[secret]" }
    package var debugDescription: String { "[secret]" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    package static func == (left: Secret, right: Secret) -> Bool {
        ConstantTime.equal(Array(left.text.utf8), Array(right.text.utf8))
    }
}
