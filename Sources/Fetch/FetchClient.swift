// Sends requests to other servers, on threads of its own: never on an event loop.
import CCurl
import Dispatch
import Glibc
import Synchronization

package struct FetchResponse: Sendable {
    package let status: Int
    /// At most as many bytes as the request allows, `FetchClient.responseLimit` unless it says otherwise.
    package let body: [UInt8]
    /// The body was longer than the limit and was truncated.
    package let isCut: Bool
    /// The Content-Length of the response, also where the body was truncated or omitted.
    package let length: Int?
    /// Seconds to wait, from Retry-After.
    package let retryAfter: Int?
    /// The absolute URL that a redirect names. It is not followed: a new request checks it.
    package let redirect: String?
}

/// No response arrived; a sentence says why.
package struct FetchFailure: Error, CustomStringConvertible {
    package let description: String
}

package final class FetchClient: Sendable {
    package static let responseLimit = 64 << 10

    typealias Work = @Sendable (FetchHandle) -> Void

    /// One policy for all requests: it has checked every connection that is kept open.
    private let policy: FetchPolicy
    private let threads: Int
    private let state = Mutex((jobs: [Work](), started: 0, idle: 0))
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

    /// Redirects are returned like any response, not followed. Throws `FetchRefusal` when the policy forbids the
    /// target, and `FetchFailure` when no response arrived.
    package func send(_ request: FetchRequest, to address: String) async throws -> FetchResponse {
        let target = try FetchTarget(address, policy: policy)
        return try await withCheckedThrowingContinuation { (caller: CheckedContinuation<FetchResponse, any Error>) in
            let isClaimed = enqueue { handle in
                caller.resume(with: Result { try handle.send(request, to: target) })
            }
            if !isClaimed { caller.resume(throwing: FetchFailure(description: "No thread is available.")) }
        }
    }

    func enqueue(_ job: @escaping Work) -> Bool {
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

    /// Each thread keeps its handle and thereby its open connections.
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
