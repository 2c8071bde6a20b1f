// Maps a long sequence in chunks and yields to the event loop between them, because one thread serves many requests.
import EventLoop

extension Sequence where Self: Sendable, Element: Sendable {
    /// Elements processed before the event loop runs.
    private static var chunkSize: Int { 20 }

    /// Like `map`, for sequences long enough to delay other requests noticeably.
    func cooperativeMap<Result: Sendable>(
        _ transform: (Element) async throws -> Result
    ) async throws -> [Result] {
        var results: [Result] = []
        for element in self {
            results.append(try await transform(element))
            if results.count.isMultiple(of: Self.chunkSize) {
                try Task.checkCancellation()
                // `Task.yield` would resume before any socket is polled. `Task.sleep` uses Dispatch timers, which open file
                // descriptors on first use and crash the process if none are left.
                await EventLoop.current?.sleep(for: .milliseconds(1))
            }
        }
        return results
    }
}
