// Receives signals synchronously, on a thread that waits for them.
import CSystem

/// Create it first in `main`: threads inherit the signal mask, and SIGTERM would kill a process with an earlier thread.
package struct SignalWaiter: Sendable {
    package enum Signal: Sendable, Equatable {
        case hangUp, interrupt, terminate
        /// The service returned by itself.
        case finished
    }

    private let signals: sigset_t

    /// Blocks SIGINT, SIGTERM and SIGHUP in this thread and the threads that it starts. Under nohup, SIGHUP stays ignored.
    package init() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGUSR2)
        if csystem_is_ignored(SIGHUP) == 0 {
            sigaddset(&signals, SIGHUP)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        self.signals = signals
    }

    /// Waits for the next signal.
    package func next() -> Signal {
        var signals = signals
        while true {
            var number: Int32 = 0
            guard sigwait(&signals, &number) == 0 else { continue }
            switch number {
            case SIGHUP: return .hangUp
            case SIGINT: return .interrupt
            case SIGTERM: return .terminate
            default: return .finished
            }
        }
    }

    /// Wakes `next` from any thread.
    static func wake() {
        kill(getpid(), SIGUSR2)
    }
}
