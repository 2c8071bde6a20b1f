// Sends requests to other servers, on threads of its own: never on an event loop.
import CCurl
import Dispatch
import Glibc
import Synchronization

package struct FetchResponse: Sendable {
    package let status: Int
    /// At most as many bytes as the request allows, `FetchClient.answerLimit` unless it says otherwise.
    package let body: [UInt8]
    /// There was more than that.
    package let isCut: Bool
    /// What the answer says of its length, also where it was cut or left out.
    package let length: Int?
    /// Seconds that the answer asks to wait.
    package let retryAfter: Int?
}

/// Nothing came back: what happened, as a sentence.
package struct FetchFailure: Error, CustomStringConvertible {
    package let description: String
}

package final class FetchClient: Sendable {
    package static let answerLimit = 64 << 10

    typealias BackgroundTask = @Sendable (FetchHandle) -> Void

    /// One for all requests: a connection that is still open was checked by it.
    private let policy: FetchPolicy
    private let threads: Int
    private let state = Mutex((jobs: [BackgroundTask](), started: 0, idle: 0))
    private let arrivals = DispatchSemaphore(value: 0)

    /// At most `threads` requests are sent at once; more wait for one of them.
    package init(policy: FetchPolicy, threads: Int = 16) {
        self.policy = policy
        self.threads = threads
        _ = Self.isReady
    }

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    package func post(_ address: String, headers: [(name: String, value: String)], body: [UInt8]) async throws
        -> FetchResponse
    {
        try await send(FetchRequest("POST", headers: headers, body: body), to: address)
    }

    /// Redirects are answers like others; they are not followed. Throws `FetchRefusal` when the address may not be
    /// reached, and `FetchFailure` when no answer came.
    package func send(_ request: FetchRequest, to address: String) async throws -> FetchResponse {
        let target = try FetchTarget(address, policy: policy)
        return try await withCheckedThrowingContinuation { (caller: CheckedContinuation<FetchResponse, any Error>) in
            let isClaimed = enqueue { handle in
                caller.resume(with: Result { try handle.send(request, to: target) })
            }
            if !isClaimed { caller.resume(throwing: FetchFailure(description: "The system has no thread left.")) }
        }
    }

    func enqueue(_ job: @escaping BackgroundTask) -> Bool {
        let isClaimed = state.withLock { state in
            if state.idle <= state.jobs.count, state.started < threads {
                guard startThread() || state.started > 0 else { return false }
                state.started += 1
            }
            state.jobs.append(job)
            return true
        }
        if isClaimed { arrivals.signal() }
        return isClaimed
    }

    private func startThread() -> Bool {
        var thread = pthread_t()
        let client = Unmanaged.passRetained(self)
        guard pthread_create(&thread, nil, Self.threadBody, client.toOpaque()) == 0 else {
            client.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Called by the C library: must not belong to any actor.
    private static let threadBody: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context { Unmanaged<FetchClient>.fromOpaque(context).takeRetainedValue().work() }
        return nil
    }

    /// Each thread keeps its handle, and with it connections that are still open.
    private func work() {
        let handle = FetchHandle()
        while true {
            state.withLock { $0.idle += 1 }
            arrivals.wait()
            let job = state.withLock { state in
                state.idle -= 1
                return state.jobs.isEmpty ? nil : state.jobs.removeFirst()
            }
            job?(handle)
        }
    }
}
