// The file that old audit events leave for: a first line that says where it goes on from, then one line for each block.
import Domain
import Store

package enum AuditFile {
    private static let format = "vitrine-audit"

    /// The first line; `hash` is that of the block before, nil at the beginning of the chain.
    package static func head(after position: Int64, hash: String?) -> String {
        JSONValue.object([
            "format": .string(format), "version": .int(1), "after": .int(position),
            "hash": hash.map { .string($0) } ?? .null,
        ]).canonicalText + "\n"
    }

    /// PostgreSQL's own texts, so that they are hashed again as they were.
    package static func line(_ block: AuditBlockText) -> String {
        "{\"block\":\(block.block),\"events\":[\(block.events.joined(separator: ","))]}\n"
    }

    /// What a walk through a file found.
    package struct Integrity: Sendable {
        package let events: Int
        /// From behind this position to that one.
        package let after: Int64
        package let until: Int64
        /// The first block that is not as it was sealed: its end, and `changed`, `removed` or `chain`.
        package let broken: (position: Int64, how: String)?
    }

    /// Proves a file line by line: each event and block by its hash, and its two ends by the hashes that stayed in the
    /// database. Throws for what is no such file.
    package static func prove(_ lines: some AsyncSequence<String, any Error>, _ stores: some Stores) async throws
        -> Integrity
    {
        var after: Int64?
        var (until, hash): (Int64, String?) = (0, nil)
        var events = 0
        var broken: (position: Int64, how: String)?
        for try await line in lines {
            guard let start = after else {
                let head = try JSONValue(parsing: Array(line.utf8))
                guard head["format"]?.stringValue == format, let position = head["after"]?.integerValue else {
                    throw Failure.refused(code: "format", message: "This is no file of audit events.")
                }
                (after, until, hash) = (position, position, head["hash"]?.stringValue)
                if position > 0, try await stores.auditTrail.hash(at: position) != hash { broken = (position, "chain") }
                continue
            }
            guard let block = try await stores.auditTrail.check(line: line, after: hash) else {
                throw Failure.refused(
                    code: "format", message: "A line behind \(until) of \(start) is no block of events.")
            }
            if broken == nil, let how = block.how { broken = (block.position, how) }
            events += block.events
            (until, hash) = (block.position, block.hash)
        }
        guard let after else { throw Failure.refused(code: "format", message: "This is no file of audit events.") }
        if broken == nil, try await stores.auditTrail.hash(at: until) != hash { broken = (until, "chain") }
        return Integrity(events: events, after: after, until: until, broken: broken)
    }
}
