// Wraps a secret text that appears as [secret] in logs, errors and dumps.
import FoundationEssentials

package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// The text itself. Never log or print it.
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
