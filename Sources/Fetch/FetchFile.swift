// Downloads a file from another server, completely or not at all.

extension FetchClient {
    /// A larger file is refused.
    package static let fileLimit = 64 << 20

    /// The file at a URL. Throws `FetchRefusal` when the policy forbids the URL, and `FetchFailure` when there is
    /// no response, a status other than 200, or more than `limit` bytes.
    package func file(at address: String, limit: Int = fileLimit) async throws -> [UInt8] {
        var request = FetchRequest("GET")
        request.responseLimit = limit
        request.wholeMilliseconds = 300_000
        let response = try await send(request, to: address)
        switch response.status {
        case 200 where response.isCut:
            throw FetchFailure(description: "The file is larger than \(limit) bytes.")
        case 200: return response.body
        case 300...399:
            throw FetchFailure(description: "The URL redirects (status \(response.status)). Enter the final URL.")
        default: throw FetchFailure(description: "The server responded with status \(response.status).")
        }
    }
}
