// Runs the process: signal handling, graceful shutdown and forced shutdown.
import CSystem
import Synchronization

package enum Service {
    /// Must be the first statement of a synchronous `main`, before any thread starts.
    package static func begin() -> SignalWaiter {
        PrivateMemory.secure()
        StandardStreams.secure()
        return SignalWaiter()
    }

    /// Runs `body` off the main thread, which waits for signals, and returns the exit code of `body`. The first SIGTERM or
    /// SIGINT requests a shutdown, after which `body` should return; the second one exits at once. SIGHUP calls the handler
    /// of `Shutdown.onHangUp`, or acts like SIGTERM without one.
    package static func run(
        _ signals: SignalWaiter, body: @escaping @Sendable (Shutdown) async -> ExitCode
    ) -> ExitCode {
        let shutdown = Shutdown()
        let result = Result()
        Task.detached {
            let code = await body(shutdown)
            result.code.withLock { $0 = code }
            SignalWaiter.wake()
        }
        while true {
            let signal = signals.next()
            if let code = result.code.withLock({ $0 }) { return code }
            switch signal {
            case .finished: continue
            case .hangUp where shutdown.handleHangUp(): continue
            case .hangUp, .interrupt, .terminate:
                if shutdown.isRequested {
                    shutdown.handleImmediateExit()
                    _exit((signal == .interrupt ? ExitCode.interrupted : .terminated).rawValue)
                }
                shutdown.request()
            }
        }
    }

    private final class Result: Sendable {
        let code = Mutex<ExitCode?>(nil)
    }
}
