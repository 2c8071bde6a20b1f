// The header Vitrine-Publication: the publication that a response is of, and the oldest that a request accepts.
import Domain
import HTTP
import Store

enum PublicationHeader {
    static let name = "Vitrine-Publication"
    /// At most 18 digits, which fit into 64 bits.
    static let pattern = "^[0-9]{1,18}$"

    static func add(_ publication: TaggedNumber, to response: inout Response) {
        response.headers.append(name, String(publication.number))
    }

    /// The number that a client has seen; nil if it sends none.
    static func oldest(_ headers: Headers) throws(Failure) -> Int64? {
        guard let text = headers[name] else { return nil }
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(text)
        else {
            throw .invalid(
                FieldErrors("/headers/\(name)", "format", "Send the number of a publication, such as 42."))
        }
        return number
    }
}

extension APISite {
    /// The publication that a response will be of: the one that the daemon knows, or the newest of the database if the
    /// client has seen a newer one.
    func newestPublication(for request: Request) async throws -> TaggedNumber {
        let oldest = try PublicationHeader.oldest(request.headers) ?? 0
        if let known = context.reads.clock.publication, known.number >= oldest { return known }
        let newest = try await context.reads.clock.read()
        guard newest.number < oldest else { return newest }
        if try await context.reads.clock.isReplica() { throw Problem.replicaBehind }
        throw Problem.historyChanged(
            "Discard what you have stored, and send the request again without \(PublicationHeader.name).",
            restart: request.rawTarget)
    }
}
