// Lists, exports, verifies and archives the audit trail.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
import Store

enum AuditCommand {
    private enum Arguments {
        static let actor = Command.Option(
            "actor", .text(placeholder: "EMAIL"), "Actor: the email address of an account, or any actor's id.")
        static let action = Command.Option(
            "action", .text(placeholder: "ACTION"), "Action such as entry.update, or noun such as entry.")
        static let object = Command.Option("object", .text(placeholder: "ID"), "Id or number of the object.")
        static let from = Command.Option("from", .text(placeholder: "DATE"), "First day (UTC), such as 2026-11-01.")
        static let until = Command.Option("until", .text(placeholder: "DATE"), "Last day (UTC), inclusive.")
        static let limit = Command.Option(
            "limit", .integer(placeholder: "N", in: 1...1000), "Maximum number; 50 by default.")
        static let format = Command.Option(
            "format", .choice(AuditExportFormat.allCases.map(\.rawValue)), "Format; csv by default.")
        static let output = Command.Option(
            "output", .text(placeholder: "FILE"), "Output file; standard output by default.")
        static let file = Command.Option("file", .text(placeholder: "FILE"), "File of archived events.")
        static let before = Command.Option(
            "before", .text(placeholder: "MONTH"), "First month to keep, such as 2026-01.", isRequired: true)
        static let keep = Command.Option("keep", .flag, "Keep the events in the database.")
    }

    private static let filters: [Command.Option] = [
        Arguments.actor, Arguments.action, Arguments.object, Arguments.from, Arguments.until,
    ]

    static let entries = [
        CommandEntry(
            "audit", "list", summary: "List audit events, newest first.",
            examples: [.init("audit list --action entry --from 2026-11-01", "events of entries since November 1")],
            options: filters + [Arguments.limit, CommandRun.json], run: list),
        CommandEntry(
            "audit", "export", summary: "Export audit events as CSV or lines of JSON, newest first.",
            details: "CSV cells never start a spreadsheet formula.",
            options: filters + [Arguments.format, Arguments.output], run: export),
        CommandEntry(
            "audit", "verify", summary: "Verify the integrity of the audit trail.",
            details: """
                Exits with 0 only if every sealed event is unchanged, every submission, decision, approval, entry,
                revision, note and publication has an event of its author, every other governed table was changed
                with an event, and every event whose action always changes something belongs to a change. With --file,
                verifies a file that "audit archive" wrote, against the hashes in the database.
                """,
            options: [Arguments.file, CommandRun.json], run: verify),
        CommandEntry(
            "audit", "archive", summary: "Move the events of old months to a file.",
            details: """
                Writes every complete block of events before the month, verifies the file, and deletes the events from
                the database. The hash of the last block remains as the checkpoint from which the chain continues. The
                database user must be the one that runs "vitrine migrate": the daemon can't delete events. With --keep,
                deletes nothing.
                """,
            examples: [.init("audit archive --before 2026-01 --output audit-2025.jsonl", "2025 and earlier")],
            options: [
                Arguments.before,
                Arguments.output.with(summary: "Output file.", isRequired: true),
                Arguments.keep, CommandRun.json,
            ],
            run: archive),
    ]

    // MARK: List and export

    private static func filter(_ run: CommandRun, _ database: Database) async throws -> AuditFilter {
        var filter = AuditFilter()
        if let actor = run.arguments.text(Arguments.actor) {
            if let id = ID<Account>(actor) {
                filter.actor = id.uuid
            } else if let account = try await database.accounts.find(email: actor) {
                filter.actor = account.id.uuid
            } else {
                throw Failure.missing("account \"\(actor)\"")
            }
        }
        filter.action = run.arguments.text(Arguments.action)
        filter.object = run.arguments.text(Arguments.object)
        filter.firstDay = try AuditDay.check(run.arguments.text(Arguments.from), pointer: "--from")
        filter.lastDay = try AuditDay.check(run.arguments.text(Arguments.until), pointer: "--until")
        return filter
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let events = try await run.withDatabase { database, _ in
            try await database.auditTrail.search(
                try await filter(run, database), limit: run.arguments.integer(Arguments.limit) ?? 50)
        }
        for event in events {
            if run.isJSON {
                Output.line(String(AuditExportFormat.jsonl.line(event).dropLast()))
            } else {
                let time = InstantText.text(event.happenedAt, milliseconds: false)
                Output.line(
                    "\(event.id)  \(time)  \(event.actor)  \(event.action)  \(event.objectType) \(event.objectID ?? "")"
                )
            }
        }
        return .ok
    }

    private static func export(_ run: CommandRun) async throws -> ExitCode {
        let text = run.arguments.text(Arguments.format).flatMap { AuditExportFormat(rawValue: $0) } ?? .csv
        let output = try FileOutput(run.arguments.text(Arguments.output))
        try output.write(Array(text.header.utf8))
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
        Output.note("\(count) events exported.")
        return .ok
    }

    // MARK: Verify

    private static func verify(_ run: CommandRun) async throws -> ExitCode {
        if let file = run.arguments.text(Arguments.file) { return try await verify(file, run) }
        let found = try await run.withDatabase { database, _ in
            _ = try await database.auditTrail.seal()
            return try await database.auditTrail.verify()
        }
        if run.isJSON {
            let members: JSONObject = [
                "archived": found.archived, "sealed": found.sealed, "unsealed": found.unsealed,
                "broken": found.broken, "unpaired": found.unpaired,
            ]
            try Output.json(members)
            return found.isIntact ? .ok : .failure
        }
        if let broken = found.broken {
            let event = broken.event.map { "event \($0) was \(broken.problem)" } ?? "the chain was changed"
            Output.problem("The chain is broken at position \(broken.position) of \(found.until): \(event).")
        }
        for item in found.unpaired { Output.problem(sentence(for: item)) }
        if found.unpaired.count >= IntegrityReport.unpairedLimit {
            Output.note("Only \(IntegrityReport.unpairedLimit) changes and events that don't match are listed.")
        }
        if found.isIntact {
            let archived = found.archived > 0 ? "; \(found.archived) archived" : ""
            Output.line(
                "Intact: \(found.sealed) sealed events; \(found.unsealed) not sealed yet\(archived).")
        }
        return found.isIntact ? .ok : .failure
    }

    static func sentence(for item: IntegrityReport.Unpaired) -> String {
        let object = [item.objectType, item.objectID].compactMap(\.self).joined(separator: " ")
        if let event = item.event { return "Event \(event) on \(object) belongs to no change." }
        // Only names of tables have a schema.
        return item.objectType.contains(".")
            ? "The table \(object) was changed without any event."
            : "The change of \(object) has no event of its author."
    }

    private static func verify(_ path: String, _ run: CommandRun) async throws -> ExitCode {
        let integrity = try await run.withDatabase { database, _ in
            try await AuditArchiveFile.verify(FileLines(try FileChunks(path)), database)
        }
        if run.isJSON {
            let members: JSONObject = [
                "events": integrity.events, "after": integrity.after, "until": integrity.until,
                "broken_at": integrity.broken?.position, "problem": integrity.broken?.problem,
            ]
            try Output.json(members)
        } else if let broken = integrity.broken {
            Output.problem(
                "The file is not intact: at position \(broken.position), \(broken.problem == "chain" ? "the chain was changed" : "an event was \(broken.problem)")."
            )
        } else {
            Output.line(
                "Intact: \(integrity.events) events, positions \(integrity.after + 1) to \(integrity.until).")
        }
        return integrity.broken == nil ? .ok : .failure
    }

    // MARK: Archive

    private static func archive(_ run: CommandRun) async throws -> ExitCode {
        let month = run.arguments.text(Arguments.before) ?? ""
        guard let start = Timestamp("\(month)-01T00:00:00Z") else {
            throw Failure.invalid(FieldErrors("--before", "format", "Enter a month, such as 2026-01."))
        }
        let path = run.arguments.text(Arguments.output) ?? ""
        guard let span = try await run.withOwner({ try await $0.archivable(before: start.text) }) else {
            if run.isJSON { try Output.json(["events": 0]) }
            run.note("No complete block of events is older than \(month). Nothing was archived.")
            return .ok
        }
        let output = try FileOutput(path)
        try output.write(Array(AuditArchiveFile.header(after: span.after, hash: span.hash).utf8))
        try await run.withOwner { owner in
            var position = span.after
            while let block = try await owner.block(after: position, until: span.until) {
                try output.write(Array(AuditArchiveFile.line(block).utf8))
                position = block.position
            }
        }
        try output.finish()
        let integrity = try await run.withDatabase { database, _ in
            try await AuditArchiveFile.verify(FileLines(try FileChunks(path)), database)
        }
        guard integrity.broken == nil, integrity.until == span.until else {
            throw Failure.refused(
                code: "integrity",
                message: "The events are not intact, so nothing was deleted. Run \"vitrine audit verify\"."
            )
        }
        if !run.arguments.flag(Arguments.keep) {
            let detail: [String: JSONValue] = [
                "file": .string(path), "after": .int(span.after), "until": .int(span.until),
                "events": .int(Int64(integrity.events)), "before": .string(month),
            ]
            _ = try await run.withOwner {
                try await $0.deleteArchivedEvents(until: span.until, detail: detail, by: run.operatorActor)
            }
        }
        let result =
            run.arguments.flag(Arguments.keep)
            ? "The database still has them." : "They were deleted from the database. Keep the file."
        return try run.report(
            ["events": integrity.events, "after": integrity.after, "until": integrity.until],
            "Archived \(integrity.events) events in \(path). \(result)")
    }
}
