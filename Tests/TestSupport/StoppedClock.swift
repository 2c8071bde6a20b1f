// A clock that moves only when a test moves it, so that no test depends on how busy the machine is.
import Domain
import Synchronization

package final class StoppedClock: Sendable {
    private let instant = Mutex(MonotonicClock.system.now())

    package init() {}

    package var clock: MonotonicClock { MonotonicClock { [self] in instant.withLock { $0 } } }

    package func advance(by duration: Duration) { instant.withLock { $0 += duration } }
}
