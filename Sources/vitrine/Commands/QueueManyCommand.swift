// What is done with many submissions from the command line, and undone: accept, reject, put off, hand on, rank.
import Domain
import FoundationEssentials
import Platform
import Review
import Store

enum QueueManyCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "queue", "snooze", summary: "Puts submissions off; without a time brings them back.",
                examples: [.init("queue snooze 0197… --hours 24", "until tomorrow at this time")],
                options: [
                    .init("hours", .integer(placeholder: "N", in: 1...SnoozeTime.maxHours), "For so many hours."),
                    .init("until", .text(placeholder: "TIME"), "Until this time: 2026-11-20T18:00 with --zone."),
                    CommandRun.zone, CommandRun.json,
                ],
                positionals: [.init("id", "The submissions.", .many)]),
            run: snooze),
        CommandEntry(
            command: Command(
                "queue", "assign", summary: "Hands submissions to a person or a role; without one to everybody.",
                examples: [.init("queue assign 0197… --to role:editor --note \"May we?\"", "for any editor")],
                options: [
                    .init("to", .text(placeholder: "WHO"), "An email address, or role:editor and the like."),
                    .init("note", .text(placeholder: "TEXT"), "Why; only the team reads it."), CommandRun.json,
                ],
                positionals: [.init("id", "The submissions.", .many)]),
            run: assign),
        CommandEntry(
            command: Command(
                "queue", "rank", summary: "Gives submissions a priority.",
                options: [
                    .init("priority", .choice(Priority.allCases.map(\.name)), "How urgent.", isRequired: true),
                    CommandRun.json,
                ],
                positionals: [.init("id", "The submissions.", .many)]),
            run: rank),
        CommandEntry(
            command: Command(
                "queue", "duplicate", summary: "Marks a submission as a duplicate.",
                options: [
                    .init("of", .text(placeholder: "ID"), "The submission or entry that was first.", isRequired: true),
                    CommandRun.json,
                ],
                positionals: [.init("id", "The submission.")]),
            run: duplicate),
        CommandEntry(
            command: Command(
                "queue", "undo", summary: "Undoes a decision, or an action on many as one.", options: [CommandRun.json],
                positionals: [.init("id", "The submission, or what an action on many gave for its undo.")]),
            run: undo),
        CommandEntry(
            command: Command(
                "queue", "metrics", summary: "Says how long decisions take, by who decided and by source.",
                options: [CommandRun.json]),
            run: metrics),
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
        var bulkActions: [String] = []
    }

    /// Does the same with all of these, as many at a time as can be.
    static func carryOut(
        _ action: BulkActionKind, _ ids: [ID<Submission>], _ request: BulkActionRequest, _ database: Database, _ rules: ContentRules,
        by actor: Actor
    ) async throws -> Result {
        var result = Result()
        for start in stride(from: 0, to: ids.count, by: BulkActionKind.limit) {
            let part = Array(ids[start..<min(start + BulkActionKind.limit, ids.count)])
            let bulkAction = try await PlanBulkAction(database: database)(action, .these(part), by: actor)
            let done = try await RunBulkAction(database: database, rules: rules)(bulkAction, request, by: actor)
            let planned = try await database.bulkActions.items(of: bulkAction, limit: BulkActionKind.limit)
            let known = Set(planned.map(\.id))
            result.done += done.count(.done)
            result.publication = done.publication ?? result.publication
            result.release = done.release ?? result.release
            if done.count(.done) > 0 { result.bulkActions.append(bulkAction.description) }
            result.refused += planned.filter { $0.result == .skipped }.map {
                Result.Refused(id: $0.id.description, reason: words($0.reason ?? ""))
            }
            result.refused += part.filter { !known.contains($0) }.map {
                Result.Refused(id: $0.description, reason: "It does not wait in the queue.")
            }
        }
        return result
    }

    private static func words(_ reason: String) -> String {
        switch reason {
        case "decided", "changed": "It was decided meanwhile."
        case "assigned": "It was handed on to others."
        case "claimed": "Somebody is looking at it now."
        case "appeal": "It is an appeal against your rejection; somebody else decides."
        default: reason
        }
    }

    static func run(
        _ run: CommandRun, _ action: BulkActionKind, _ ids: [ID<Submission>], _ request: BulkActionRequest, said: String
    ) async throws -> ExitCode {
        let result = try await run.withDatabase { database, rules in
            try await carryOut(action, ids, request, database, rules, by: run.operatorActor)
        }
        if run.isJSON {
            try Output.json(result)
        } else {
            Output.line("\(result.done) \(said).")
            for refused in result.refused { Output.problem("\(refused.id): \(refused.reason)") }
            notifyUndo(result.bulkActions)
        }
        if result.refused.isEmpty { return .ok }
        return result.done > 0 ? .partial : .conflict
    }

    static func notifyUndo(_ bulkActions: [String]) {
        for bulkAction in bulkActions { Output.note("To undo it: vitrine queue undo \(bulkAction)") }
    }

    private static func ids(_ run: CommandRun) throws -> [ID<Submission>] {
        try run.arguments.arguments("id").map { try run.id($0) }
    }

    private static func snooze(_ run: CommandRun) async throws -> ExitCode {
        var time: SnoozeTime?
        if let hours = run.arguments.integer("hours") { time = .hours(hours) }
        if let until = run.arguments.text("until") {
            guard case .at(let wall) = try PublishTiming(parsing: until, zone: run.arguments.text("zone"), pointer: "--until")
            else { throw Failure.invalid(FieldErrors("--until", "format", "Write a day and time.")) }
            time = .at(wall)
        }
        return try await self.run(
            run, .snooze, try ids(run), .snooze(time), said: time == nil ? "wait again" : "put off")
    }

    private static func assign(_ run: CommandRun) async throws -> ExitCode {
        var assignee: Assignee?
        if let who = run.arguments.text("to") {
            assignee = Assignee(who)
            if assignee == nil {
                let account = try await run.withDatabase { database, _ in try await database.accounts.find(email: who) }
                guard let account else { throw Failure.missing("account \"\(who)\"") }
                assignee = .account(account.id)
            }
        }
        return try await self.run(
            run, .assign, try ids(run), .assign(assignee, words: run.arguments.text("note")), said: "handed on")
    }

    private static func rank(_ run: CommandRun) async throws -> ExitCode {
        guard let priority = Priority(name: run.arguments.text("priority") ?? "") else { return .usage }
        return try await self.run(run, .rank, try ids(run), .rank(priority), said: "ranked \(priority.name)")
    }

    private static func duplicate(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument("id") ?? "")
        let original: ID<Submission> = try run.id(run.arguments.text("of") ?? "")
        try await run.withDatabase { database, rules in
            guard let found = try await database.originals.find(original.uuid) else {
                throw Failure.missing("submission or entry \"\(original)\"")
            }
            _ = try await DecideSubmission(database: database, rules: rules)(
                id, Decision.Draft(verdict: .duplicate, original: found.original), version: nil, by: run.operatorActor)
        }
        if run.isJSON {
            try Output.json(["state": "duplicate"])
        } else {
            Output.line("Marked as a duplicate. To undo it: vitrine queue undo \(id)")
        }
        return .ok
    }

    private static func undo(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<BulkAction> = try run.id(run.arguments.argument("id") ?? "")
        let undone = try await run.withDatabase { database, _ in
            if try await database.bulkActions.find(id) != nil {
                let bulkAction = try await UndoBulkAction(database: database)(id, by: run.operatorActor)
                return (undone: bulkAction.count(.undone), kept: bulkAction.count(.kept))
            }
            try await UndoDecision(database: database)(ID(id.uuid), version: nil, by: run.operatorActor)
            return (undone: 1, kept: 0)
        }
        if run.isJSON {
            try Output.json(["undone": undone.undone, "kept": undone.kept])
        } else {
            let rest = undone.kept > 0 ? "; \(undone.kept) were decided anew and stay as they are" : ""
            Output.line("\(undone.undone) undone\(rest).")
        }
        return undone.kept > 0 ? .partial : .ok
    }

    private struct Pace: Encodable {
        let by: String
        let name: String
        let decisions: Int
        let median_seconds: Double
        let percentile_95_seconds: Double
    }

    private static func metrics(_ run: CommandRun) async throws -> ExitCode {
        let (deciders, sources) = try await run.withDatabase { database, _ in
            (try await database.queueMetrics.paceByDecider(), try await database.queueMetrics.paceBySource())
        }
        for (by, paces) in [("decider", deciders), ("source", sources)] {
            for pace in paces {
                if run.isJSON {
                    try Output.json(
                        Pace(
                            by: by, name: pace.name, decisions: pace.decisions, median_seconds: pace.median,
                            percentile_95_seconds: pace.percentile95))
                } else {
                    Output.line(
                        "\(by)  \(pace.name)  \(pace.decisions) decisions  median \(Age.text(seconds: Int(pace.median)))  "
                            + "95 of 100 within \(Age.text(seconds: Int(pace.percentile95)))")
                }
            }
        }
        return .ok
    }
}
