// The archive file of old audit events: a header with the position and hash of the previous block, then a line per block.
import Domain
import Localization
import Store

package enum AuditArchiveFile {
    private static let format = "vitrine-audit"

    /// The header; `hash` is the previous block's, nil at the start of the chain.
    package static func header(after position: Int64, hash: String?) -> String {
        JSONValue.object([
            "format": .string(format), "version": .int(1), "after": .int(position),
            "hash": hash.map { .string($0) } ?? .null,
        ]).canonicalText + "\n"
    }

    /// PostgreSQL's own JSON text, byte for byte, so that hashing it again gives the same hash.
    package static func line(_ block: AuditBlockText) -> String {
        "{\"block\":\(block.block),\"events\":[\(block.events.joined(separator: ","))]}\n"
    }

    /// The result of verifying a file.
    package struct Integrity: Sendable {
        package let events: Int
        /// The file covers the positions after `after`, up to and including `until`.
        package let after: Int64
        package let until: Int64
        /// The first block that differs from its seal: its end, and `changed`, `removed` or `chain`.
        package let broken: (position: Int64, problem: String)?
    }

    /// Verifies a file line by line: each event and block by its hash, both ends by the hashes kept in the database.
    /// Throws when it is not an audit archive.
    package static func verify(_ lines: some AsyncSequence<String, any Error>, _ stores: some Stores) async throws
        -> Integrity
    {
        var after: Int64?
        var (until, hash): (Int64, String?) = (0, nil)
        var events = 0
        var broken: (position: Int64, problem: String)?
        for try await line in lines {
            guard let start = after else {
                let header = try JSONValue(parsing: Array(line.utf8))
                guard header["format"]?.stringValue == format, let position = header["after"]?.integerValue else {
                    throw Failure.refused(code: "format", message: tr("This file is not an audit archive."))
                }
                (after, until, hash) = (position, position, header["hash"]?.stringValue)
                if position > 0, try await stores.auditTrail.hash(at: position) != hash { broken = (position, "chain") }
                continue
            }
            guard let block = try await stores.auditTrail.verify(line: line, after: hash) else {
                throw Failure.refused(
                    code: "format",
                    message: tr("The line after position \(until) is not a block of events (file starts at \(start))."))
            }
            if broken == nil, let problem = block.problem { broken = (block.position, problem) }
            events += block.events
            (until, hash) = (block.position, block.hash)
        }
        guard let after else {
            throw Failure.refused(code: "format", message: tr("This file is not an audit archive."))
        }
        if broken == nil, try await stores.auditTrail.hash(at: until) != hash { broken = (until, "chain") }
        return Integrity(events: events, after: after, until: until, broken: broken)
    }
}
