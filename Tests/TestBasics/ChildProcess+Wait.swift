// Waits for a child process in a test, where blocking a thread is acceptable.
import Dispatch
import Platform

extension ChildProcess {
    /// The exit code, or 128 + the number of the signal that ended it; -1 after ten minutes.
    package func wait() async -> Int32 {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: self.waitBlocking(timeout: .seconds(600)) ?? -1)
            }
        }
    }
}
