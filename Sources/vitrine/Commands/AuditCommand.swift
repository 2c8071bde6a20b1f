// The audit trail from the command line.
import Platform
import Store

enum AuditCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "audit", "verify", summary: "Walks the hash chain over the audit trail.",
                details: "Ends with 0 only when every sealed event is as it was sealed.", options: [CommandRun.json]),
            run: verify)
    ]

    private struct Answer: Encodable {
        let sealed: Int
        let unsealed: Int
        let broken: AuditProof.Break?
    }

    private static func verify(_ run: CommandRun) async throws -> ExitCode {
        let found = try await run.withDatabase { database, _ in
            _ = try await database.auditTrail.seal()
            return try await database.auditTrail.verify()
        }
        if run.isJSON {
            try Output.json(Answer(sealed: found.sealed, unsealed: found.unsealed, broken: found.broken))
        } else if let broken = found.broken {
            let event = broken.event.map { "event \($0) was \(broken.how)" } ?? "the chain itself was changed"
            Output.problem("The chain is broken at position \(broken.position) of \(found.sealed): \(event).")
        } else {
            Output.line("\(found.sealed) events are as they were sealed; \(found.unsealed) wait to be sealed.")
        }
        return found.broken == nil ? .ok : .failure
    }
}
