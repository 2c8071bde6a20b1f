// Brings a file from another server, whole or not at all.

extension FetchClient {
    /// Beyond it a file is not taken.
    package static let fileLimit = 64 << 20

    /// The file at an address. Throws `FetchRefusal` when the address may not be reached, and `FetchFailure` when there is
    /// no answer, another one than 200, or more than `limit` bytes.
    package func file(at address: String, limit: Int = fileLimit) async throws -> [UInt8] {
        var request = FetchRequest("GET")
        request.answerLimit = limit
        request.wholeMilliseconds = 300_000
        let answer = try await send(request, to: address)
        switch answer.status {
        case 200 where answer.isCut:
            throw FetchFailure(description: "The file is larger than \(limit) bytes.")
        case 200: return answer.body
        case 300...399:
            throw FetchFailure(description: "The address leads to another one (\(answer.status)); write that one.")
        default: throw FetchFailure(description: "The server answered \(answer.status).")
        }
    }
}
