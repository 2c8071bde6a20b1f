// Says on standard error how far a long command is, at most every few seconds.
import Synchronization

package final class RegularNote: Sendable {
    private static let interval = Duration.seconds(5)

    private let last = Mutex(ContinuousClock.now)

    package init() {}

    package func callAsFunction(_ text: @autoclosure () -> String) {
        let isDue = last.withLock { last in
            let now = ContinuousClock.now
            guard now - last >= Self.interval else { return false }
            last = now
            return true
        }
        if isDue { Output.note(text()) }
    }
}
