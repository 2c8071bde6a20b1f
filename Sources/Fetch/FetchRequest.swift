// A request to another server, with limits on the size and time of the response.

package struct FetchRequest: Sendable {
    static let connectMilliseconds = 5000

    package let method: String
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]
    /// A longer response is truncated.
    package var responseLimit = FetchClient.responseLimit
    package var wholeMilliseconds = 15_000

    package init(_ method: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.method = method
        self.headers = headers
        self.body = body
    }
}
