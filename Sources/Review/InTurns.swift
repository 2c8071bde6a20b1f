// Long work in portions: one thread serves many requests, and they have their turn in between.
import EventLoop

extension Sequence where Self: Sendable, Element: Sendable {
    /// How many are done before others have their turn.
    private static var portion: Int { 20 }

    /// As `map`, for work that takes so long for all together that somebody would notice.
    func mapInTurns<Result: Sendable>(_ transform: (Element) throws -> Result) async throws -> [Result] {
        var results: [Result] = []
        for element in self {
            results.append(try transform(element))
            if results.count.isMultiple(of: Self.portion) {
                try Task.checkCancellation()
                // A yield would come back before any socket is looked at. The timers of Dispatch, behind `Task.sleep`, open
                // descriptors when they are first used, and end the program where there are none left.
                await EventLoop.current?.sleep(for: .milliseconds(1))
            }
        }
        return results
    }
}
