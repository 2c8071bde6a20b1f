// Snoozes, assigns, prioritizes and merges submissions in bulk, and undoes decisions.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
import Store

enum BulkQueueCommand {
    enum Arguments {
        static let id = Command.Positional("id", "Submission id.")
        static let hours = Command.Option(
            "hours", .integer(placeholder: "N", in: 1...SnoozeTime.maxHours), "Snooze for this many hours.")
        static let until = Command.Option(
            "until", .text(placeholder: "TIME"), "Snooze until 2026-11-20T18:00, with --zone.")
        static let to = Command.Option(
            "to", .text(placeholder: "ASSIGNEE"), "An email address, or a role such as role:editor.")
        static let note = Command.Option("note", .text(placeholder: "TEXT"), "Internal note.")
        static let priority = Command.Option(
            "priority", .choice(Priority.allCases.map(\.name)), "New priority.", isRequired: true)
        static let of = Command.Option(
            "of", .text(placeholder: "ID"), "The original submission or entry.", isRequired: true)
    }

    private static let ids = Arguments.id.with(summary: "Submission ids.", count: .many)

    static let entries = [
        CommandEntry(
            "queue", "snooze", summary: "Snooze submissions until a time.",
            examples: [.init("queue snooze 0197… --hours 24", "until this time tomorrow")],
            options: [Arguments.hours, Arguments.until, CommandRun.zone, CommandRun.json], positionals: [ids],
            run: snooze),
        CommandEntry(
            "queue", "unsnooze", summary: "Return snoozed submissions to the queue.", options: [CommandRun.json],
            positionals: [ids], run: unsnooze),
        CommandEntry(
            "queue", "assign", summary: "Assign submissions to a person or role.",
            details: "Without --to, removes the assignment.",
            examples: [.init("queue assign 0197… --to role:editor --note \"May we?\"", "any editor")],
            options: [Arguments.to, Arguments.note, CommandRun.json], positionals: [ids], run: assign),
        CommandEntry(
            "queue", "update", summary: "Change the priority of submissions.",
            options: [Arguments.priority, CommandRun.json], positionals: [ids], run: update),
        CommandEntry(
            "queue", "duplicate", summary: "Mark a submission as a duplicate.",
            options: [Arguments.of, CommandRun.json], positionals: [Arguments.id], run: duplicate),
        CommandEntry(
            "queue", "undo", summary: "Undo a decision or a bulk action.", options: [CommandRun.json],
            positionals: [Arguments.id.with(summary: "Id of a submission or bulk action.")], run: undo),
    ]

    struct Result: Encodable {
        struct Refused: Encodable {
            let id: String
            let reason: String
        }

        var done = 0
        var publication: Int64?
        var release: Int64?
        var refused: [Refused] = []
        var bulk_actions: [String] = []
    }

    /// Runs one action on all submissions, in parts of at most `BulkActionKind.limit`.
    static func apply(
        _ action: BulkActionKind, _ ids: [ID<Submission>], _ request: BulkActionRequest, _ services: Services,
        by actor: Actor
    ) async throws -> Result {
        var result = Result()
        for start in stride(from: 0, to: ids.count, by: BulkActionKind.limit) {
            let part = Array(ids[start..<min(start + BulkActionKind.limit, ids.count)])
            let bulkAction = try await services.planBulkAction(action, .listed(part), by: actor)
            let done = try await services.runBulkAction(bulkAction, request, by: actor)
            let planned = try await services.database.bulkActions.items(of: bulkAction, limit: BulkActionKind.limit)
            let known = Set(planned.map { ID<Submission>($0.id) })
            result.done += done.count(.done)
            result.publication = done.publication ?? result.publication
            result.release = done.release ?? result.release
            if done.count(.done) > 0 { result.bulk_actions.append(bulkAction.description) }
            result.refused += planned.filter { $0.result == .skipped }.map {
                Result.Refused(id: ID<Submission>($0.id).description, reason: message($0.reason ?? ""))
            }
            result.refused += part.filter { !known.contains($0) }.map {
                Result.Refused(id: $0.description, reason: "Not in the queue.")
            }
        }
        return result
    }

    private static func message(_ reason: String) -> String {
        switch reason {
        case "decided", "changed": "Changed by someone else. Review it and try again."
        case "assigned": "Assigned to someone else."
        case "claimed": "Claimed by someone else."
        case "appeal": "Appeal of your own rejection. A different reviewer must decide."
        default: reason
        }
    }

    static func run(
        _ run: CommandRun, _ action: BulkActionKind, _ ids: [ID<Submission>], _ request: BulkActionRequest,
        as participle: String
    ) async throws -> ExitCode {
        let result = try await run.withDatabase { database, services in
            if case .decide(let draft) = request { try await run.noteClockChange(draft.publishTiming, database) }
            return try await apply(action, ids, request, services, by: run.operatorActor)
        }
        try run.report(json: result, "\(result.done) \(participle).")
        return finish(result, run)
    }

    /// Says what was refused and how to undo the rest.
    static func finish(_ result: Result, _ run: CommandRun) -> ExitCode {
        if !run.isJSON {
            for refused in result.refused { Output.problem("\(refused.id): \(refused.reason)") }
        }
        for bulkAction in result.bulk_actions { run.note("To undo: vitrine queue undo \(bulkAction)") }
        if result.refused.isEmpty { return .ok }
        return result.done > 0 ? .partial : .conflict
    }

    private static func submissions(_ run: CommandRun) throws -> [ID<Submission>] {
        try run.arguments.arguments(Arguments.id).map { try run.id($0) }
    }

    private static func snooze(_ run: CommandRun) async throws -> ExitCode {
        guard let time = try time(run) else {
            throw Failure.invalid(FieldErrors("--hours", "required", "Use --hours or --until."))
        }
        return try await self.run(run, .snooze, try submissions(run), .snooze(time), as: "snoozed")
    }

    /// Of --hours, or of --until and --zone; nil without either.
    static func time(_ run: CommandRun) throws(Failure) -> SnoozeTime? {
        if let hours = run.arguments.integer(Arguments.hours) { return .hours(hours) }
        if let until = run.arguments.text(Arguments.until) {
            guard
                case .at(let wall) = try PublishTiming(
                    parsing: until, zone: run.arguments.text(CommandRun.zone), pointer: "--until")
            else {
                throw Failure.invalid(
                    FieldErrors("--until", "format", "Enter a date and time, such as 2026-11-20T18:00."))
            }
            return .at(wall)
        }
        return nil
    }

    private static func unsnooze(_ run: CommandRun) async throws -> ExitCode {
        try await self.run(run, .snooze, try submissions(run), .snooze(nil), as: "returned to the queue")
    }

    private static func assign(_ run: CommandRun) async throws -> ExitCode {
        var assignee: Assignee?
        if let text = run.arguments.text(Arguments.to) {
            assignee = Assignee(text)
            if assignee == nil {
                let account = try await run.withDatabase { database, _ in try await database.accounts.find(email: text)
                }
                guard let account else { throw Failure.missing("account \"\(text)\"") }
                assignee = .account(account.id)
            }
        }
        return try await self.run(
            run, .assign, try submissions(run), .assign(assignee, note: run.arguments.text(Arguments.note)),
            as: assignee == nil ? "unassigned" : "assigned")
    }

    private static func update(_ run: CommandRun) async throws -> ExitCode {
        guard let priority = Priority(name: run.arguments.text(Arguments.priority) ?? "") else { return .usage }
        return try await self.run(
            run, .update, try submissions(run), .update(priority: priority), as: "set to \(priority.name)")
    }

    private static func duplicate(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let original: ID<Submission> = try run.id(run.arguments.text(Arguments.of) ?? "")
        try await run.withDatabase { database, services in
            let found = try await database.originals.find(original.uuid)
                .orMissing("submission or entry \"\(original)\"")
            _ = try await services.decideSubmission(
                id, Decision.Draft(verdict: .duplicate, original: found.original), version: nil, by: run.operatorActor)
        }
        return try run.report(["state": "duplicate"], "Marked as duplicate. To undo: vitrine queue undo \(id)")
    }

    private static func undo(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<BulkAction> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let undone = try await run.withDatabase { database, services in
            if let found = try await database.bulkActions.find(id) {
                let bulkAction =
                    switch found.object {
                    case .submission: try await services.undoBulkAction(id, by: run.operatorActor)
                    case .entry: try await services.undoEntryBulkAction(id, by: run.operatorActor)
                    }
                return (undone: bulkAction.count(.undone), kept: bulkAction.count(.kept))
            }
            try await services.undoDecision(ID(id.uuid), version: nil, by: run.operatorActor)
            return (undone: 1, kept: 0)
        }
        let rest = undone.kept > 0 ? "; \(undone.kept) were changed since and keep their state" : ""
        try run.report(["undone": undone.undone, "kept": undone.kept], "\(undone.undone) undone\(rest).")
        return undone.kept > 0 ? .partial : .ok
    }
}
