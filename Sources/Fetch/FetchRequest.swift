// A request to another server, and how much and how long it may answer.

package struct FetchRequest: Sendable {
    static let connectMilliseconds = 5000

    package let method: String
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]
    /// Beyond it an answer is cut.
    package var answerLimit = FetchClient.answerLimit
    package var wholeMilliseconds = 15_000

    package init(_ method: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.method = method
        self.headers = headers
        self.body = body
    }
}
