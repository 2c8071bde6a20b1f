// The audit trail from the command line: looked through, written out, proven, and moved into files when it is old.
import Accounts
import Domain
import FoundationEssentials
import Platform
import Store

enum AuditCommand {
    private static let filters: [Command.Option] = [
        .init("actor", .text(placeholder: "EMAIL"), "Who: the email address of an account, or the id of any actor."),
        .init("action", .text(placeholder: "ACT"), "What: entry.edit, or entry for all that is done to one."),
        .init("object", .text(placeholder: "ID"), "To which thing: its id or number."),
        .init("from", .text(placeholder: "DATE"), "From this day on (UTC), such as 2026-11-01."),
        .init("until", .text(placeholder: "DATE"), "Up to this day, with it."),
    ]

    static let entries = [
        CommandEntry(
            command: Command(
                "audit", "list", summary: "Shows what was done, the newest first.",
                examples: [.init("audit list --action entry --from 2026-11-01", "what was done to entries in November")],
                options: filters + [
                    .init("limit", .integer(placeholder: "N", in: 1...1000), "How many; 50 unless given."),
                    CommandRun.json,
                ]),
            run: list),
        CommandEntry(
            command: Command(
                "audit", "export", summary: "Writes out what was done, as a table or as lines of JSON.",
                details: "No cell of the table begins a formula. The newest come first.",
                options: filters + [
                    .init("format", .choice(AuditText.allCases.map(\.rawValue)), "csv or jsonl; csv unless given."),
                    .init("output", .text(placeholder: "FILE"), "The file; standard output unless given."),
                ]),
            run: export),
        CommandEntry(
            command: Command(
                "audit", "verify", summary: "Walks the hash chain over the audit trail.",
                details: """
                    Ends with 0 only when every sealed event is as it was sealed. With --file it proves a file that "audit
                    archive" wrote, against the hashes that stayed in the database.
                    """,
                options: [.init("file", .text(placeholder: "FILE"), "A file of old events."), CommandRun.json]),
            run: verify),
        CommandEntry(
            command: Command(
                "audit", "archive", summary: "Moves the events of old months into a file.",
                details: """
                    Writes every whole block of events from before the month, proves the file, and removes the events from
                    the database; the hash of the last block stays, and the chain goes on from it. Needs a database user who
                    may action as the owner, as for "migrate": the daemon cannot remove events. With --keep nothing is removed.
                    """,
                examples: [.init("audit archive --before 2026-01 --output audit-2025.jsonl", "all of 2025 and before")],
                options: [
                    .init(
                        "before", .text(placeholder: "MONTH"), "The first month that stays, such as 2026-01.",
                        isRequired: true),
                    .init("output", .text(placeholder: "FILE"), "The file.", isRequired: true),
                    .init("keep", .flag, "Remove nothing from the database."), CommandRun.json,
                ]),
            run: archive),
    ]

    // MARK: Looking

    private static func filter(_ run: CommandRun, _ database: Database) async throws -> AuditFilter {
        var filter = AuditFilter()
        if let actor = run.arguments.text("actor") {
            if let id = ID<Account>(actor) {
                filter.actor = id.uuid
            } else if let account = try await database.accounts.find(email: actor) {
                filter.actor = account.id.uuid
            } else {
                throw Failure.missing("account \(actor)")
            }
        }
        filter.action = run.arguments.text("action")
        filter.object = run.arguments.text("object")
        filter.firstDay = try AuditDay.check(run.arguments.text("from"), pointer: "--from")
        filter.lastDay = try AuditDay.check(run.arguments.text("until"), pointer: "--until")
        return filter
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let events = try await run.withDatabase { database, _ in
            try await database.auditTrail.search(
                try await filter(run, database), limit: run.arguments.integer("limit") ?? 50)
        }
        for event in events {
            if run.isJSON {
                Output.line(String(AuditText.jsonl.line(event).dropLast()))
            } else {
                let time = InstantText.text(event.happenedAt, milliseconds: false)
                Output.line(
                    "\(event.id)  \(time)  \(event.actor)  \(event.action)  \(event.objectType) \(event.objectID ?? "")")
            }
        }
        return .ok
    }

    private static func export(_ run: CommandRun) async throws -> ExitCode {
        let text = run.arguments.text("format").flatMap { AuditText(rawValue: $0) } ?? .csv
        let output = try FileOutput(run.arguments.text("output"))
        try output.write(Array(text.head.utf8))
        let count = try await run.withDatabase { database, _ in
            let filter = try await filter(run, database)
            var before: Int64?
            var count = 0
            repeat {
                let events = try await database.auditTrail.search(filter, before: before, limit: 1000)
                for event in events { try output.write(Array(text.line(event).utf8)) }
                count += events.count
                before = events.last?.id
            } while before != nil
            return count
        }
        try output.finish()
        Output.note("\(count) events.")
        return .ok
    }

    // MARK: Proving

    private struct Answer: Encodable {
        let archived: Int
        let sealed: Int
        let unsealed: Int
        let broken: IntegrityReport.Break?
    }

    private static func verify(_ run: CommandRun) async throws -> ExitCode {
        if let file = run.arguments.text("file") { return try await verify(file, run) }
        let found = try await run.withDatabase { database, _ in
            _ = try await database.auditTrail.seal()
            return try await database.auditTrail.verify()
        }
        if run.isJSON {
            try Output.json(
                Answer(
                    archived: found.archived, sealed: found.sealed, unsealed: found.unsealed, broken: found.broken))
        } else if let broken = found.broken {
            let event = broken.event.map { "event \($0) was \(broken.how)" } ?? "the chain itself was changed"
            Output.problem(
                "The chain is broken at position \(broken.position) of \(found.archived + found.sealed): \(event).")
        } else {
            let archived = found.archived > 0 ? "; \(found.archived) before them are in files" : ""
            Output.line(
                "\(found.sealed) events are as they were sealed; \(found.unsealed) wait to be sealed\(archived).")
        }
        return found.broken == nil ? .ok : .failure
    }

    private struct FileResponse: Encodable {
        let events: Int
        let after: Int64
        let until: Int64
        let broken_at: Int64?
        let how: String?
    }

    private static func verify(_ path: String, _ run: CommandRun) async throws -> ExitCode {
        let integrity = try await run.withDatabase { database, _ in
            try await AuditFile.prove(FileLines(try FilePieces(path)), database)
        }
        if run.isJSON {
            try Output.json(
                FileResponse(
                    events: integrity.events, after: integrity.after, until: integrity.until, broken_at: integrity.broken?.position,
                    how: integrity.broken?.how))
        } else if let broken = integrity.broken {
            Output.problem(
                "The file is not as it was sealed: at position \(broken.position) something was \(broken.how == "chain" ? "changed in the chain" : broken.how)."
            )
        } else {
            Output.line(
                "\(integrity.events) events, \(integrity.after + 1) to \(integrity.until) of the chain, are as they were sealed.")
        }
        return integrity.broken == nil ? .ok : .failure
    }

    // MARK: Archiving

    private static func archive(_ run: CommandRun) async throws -> ExitCode {
        let month = run.arguments.text("before") ?? ""
        guard let start = Timestamp("\(month)-01T00:00:00Z") else {
            throw Failure.invalid(FieldErrors("--before", "format", "Write a month such as 2026-01."))
        }
        let path = run.arguments.text("output") ?? ""
        let actor = run.operatorActor
        guard let span = try await run.withOwner({ try await $0.archivable(before: start.text) }) else {
            Output.note("No whole block of events is from before \(month). Nothing was done.")
            return .ok
        }
        let output = try FileOutput(path)
        try output.write(Array(AuditFile.head(after: span.after, hash: span.hash).utf8))
        try await run.withOwner { owner in
            var position = span.after
            while let block = try await owner.block(after: position, until: span.until) {
                try output.write(Array(AuditFile.line(block).utf8))
                position = block.position
            }
        }
        try output.finish()
        let integrity = try await run.withDatabase { database, _ in
            try await AuditFile.prove(FileLines(try FilePieces(path)), database)
        }
        guard integrity.broken == nil, integrity.until == span.until else {
            throw Failure.refused(
                code: "proof",
                message: "The events are not as they were sealed, so nothing was removed. Run \"vitrine audit verify\"."
            )
        }
        if !run.arguments.flag("keep") {
            let detail: [String: JSONValue] = [
                "file": .string(path), "after": .int(span.after), "until": .int(span.until),
                "events": .int(Int64(integrity.events)), "before": .string(month),
            ]
            _ = try await run.withOwner { try await $0.forgetAudit(until: span.until, detail: detail, by: actor) }
        }
        if run.isJSON {
            try Output.json(
                FileResponse(events: integrity.events, after: integrity.after, until: integrity.until, broken_at: nil, how: nil))
        } else {
            let removed =
                run.arguments.flag("keep")
                ? "Nothing was removed." : "They are removed from the database; keep the file."
            Output.line("\(integrity.events) events are in \(path), as they were sealed. \(removed)")
        }
        return .ok
    }
}
