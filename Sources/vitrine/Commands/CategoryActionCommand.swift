// Actions on one category from the command line: added, renamed, moved, placed, merged, unmerged, retired; now or with a release.
import Domain
import Editorial
import Platform
import Store

enum CategoryActionCommand {
    private static let category = Command.Positional("category", "Its id, address or name.")
    private static let timing: [Command.Option] = [
        .init("release", .integer(placeholder: "N", in: 1...Int(Int32.max)), "Put it into this release."),
        .init("draft", .flag, "Leave it as a draft."), CommandRun.at, CommandRun.zone, CommandRun.json,
    ]

    static let entries = [
        CommandEntry(
            command: Command(
                "category", "add", summary: "Makes a category, last in one of the two groups.",
                details: """
                    It shows in the app as soon as something live is in it. A name that the group has already is refused; \
                    one much like another is told.
                    """,
                options: [
                    .init("group", .integer(placeholder: "1|2", in: 1...2), "Its group.", isRequired: true),
                    .init("slug", .text(placeholder: "SLUG"), "Its address; made from the title unless said."),
                    .init(
                        "position", .integer(placeholder: "N", in: OrderCategories.places),
                        "Where it stands in its group, instead of last."),
                ] + timing,
                positionals: [.init("title", "Its name.")]),
            run: add),
        CommandEntry(
            command: Command(
                "category", "rename", summary: "Gives a category or a group another name and address.",
                details: "The old address leads to the new one for ever.", options: timing,
                positionals: [category, .init("name", "The new name.")]),
            run: rename),
        CommandEntry(
            command: Command(
                "category", "move", summary: "Moves a category to a group, or to a place in its group.",
                examples: [
                    .init("category move airport --group 2", "to the end of the second group"),
                    .init("category move pizza --place 1", "to the first place of its group"),
                ],
                options: [
                    .init("group", .integer(placeholder: "1|2", in: 1...2), "The group that it moves to."),
                    .init(
                        "place", .integer(placeholder: "N", in: OrderCategories.places), "Its place, counted from 1."),
                ] + timing,
                positionals: [category]),
            run: move),
        CommandEntry(
            command: Command(
                "category", "merge",
                summary: "Shows the members of a category in another, where its address leads, too.",
                details: "No member is written anew, so \"category unmerge\" brings everything back exactly.",
                examples: [.init("category merge coffee --into cafe --dry-run", "what would move, row by row")],
                options: [
                    .init("into", .text(placeholder: "CATEGORY"), "The category that stays.", isRequired: true),
                    CommandRun.dryRun,
                ] + timing,
                positionals: [category]),
            run: merge),
        CommandEntry(
            command: Command(
                "category", "unmerge", summary: "Makes a merged category stand for itself again.", options: timing,
                positionals: [category]),
            run: part),
        CommandEntry(
            command: Command(
                "category", "retire", summary: "Takes a category out of what readers see.",
                details: "Refused while a live entry has no other category.",
                options: [CommandRun.dryRun] + timing, positionals: [category]),
            run: archive),
    ]

    private struct Answer: Encodable {
        let category: String?
        let publication: Int64?
        let release: Int64?
        let drafts: Int
    }

    private static func notify(_ outcome: EditOutcome, _ run: CommandRun) throws -> ExitCode {
        if run.isJSON {
            try Output.json(
                Answer(
                    category: outcome.entry?.description, publication: outcome.publication,
                    release: outcome.release, drafts: outcome.drafts))
        } else if let publication = outcome.publication {
            Output.line("Live in publication \(publication).")
        } else if let release = outcome.release {
            Output.line("Goes live with release \(release).")
        } else {
            Output.line("Saved as a draft: readers see it after it is approved and published.")
        }
        return .ok
    }

    private static func timing(_ run: CommandRun) throws -> EditTiming {
        if let number = run.arguments.integer("release") { return .release(Int64(number)) }
        if run.arguments.flag("draft") { return .draft }
        if case .at(let time) = try run.publishTiming() { return .at(time) }
        return .now
    }

    /// The category of this id, address or name; the name's case does not count.
    private static func find(_ text: String, _ directory: CategoryDirectory) throws -> EntryChoice {
        let found =
            ID<Entry>(text).flatMap(directory.find) ?? directory.categories.first { $0.slug == text }
            ?? directory.categories.first { $0.title.lowercased() == text.lowercased() }
        guard let found else { throw Failure.missing("category: \(text)") }
        return found
    }

    private static func add(_ run: CommandRun) async throws -> ExitCode {
        let timing = try timing(run)
        let title = run.arguments.argument("title") ?? ""
        let (outcome, similar) = try await run.withDatabase { database, rules in
            let outcome = try await CreateCategory(database: database, rules: rules)(
                named: title, in: run.arguments.integer("group") == 1 ? SeedEntry.topicGroup : SeedEntry.placeGroup,
                slug: run.arguments.text("slug"), position: run.arguments.integer("position"), timing,
                by: run.operatorActor)
            let directory = try await CategoryDirectory.load(database)
            return (outcome, outcome.entry.flatMap { directory.similar(title, besides: $0) })
        }
        if let similar { Output.note("Its name is much like \(similar.title) (\(similar.slug)).") }
        return try notify(outcome, run)
    }

    private static func rename(_ run: CommandRun) async throws -> ExitCode {
        let timing = try timing(run)
        let outcome = try await run.withDatabase { database, rules in
            let text = run.arguments.argument("category") ?? ""
            let groups = try await database.entries.choices(.categoryGroup)
            let directory = try await CategoryDirectory.load(database)
            let known =
                try groups.first { $0.slug == text || $0.id.description == text } ?? find(text, directory)
            return try await RenameCategory(database: database, rules: rules)(
                known.id, from: known.title, to: run.arguments.argument("name") ?? "", timing, by: run.operatorActor)
        }
        return try notify(outcome, run)
    }

    private static func move(_ run: CommandRun) async throws -> ExitCode {
        let timing = try timing(run)
        let (group, place) = (run.arguments.integer("group"), run.arguments.integer("place"))
        guard (group == nil) != (place == nil) else {
            throw Failure.invalid(FieldErrors("--group", "required", "Say either --group or --place."))
        }
        let outcome = try await run.withDatabase { database, rules in
            let known = try find(
                run.arguments.argument("category") ?? "", try await CategoryDirectory.load(database))
            if let place {
                return try await OrderCategories(database: database, rules: rules).move(
                    known.id, was: known.position, to: place - 1, timing, by: run.operatorActor)
            }
            return try await MoveCategory(database: database, rules: rules)(
                known.id, from: known.categoryGroup ?? known.id,
                to: group == 1 ? SeedEntry.topicGroup : SeedEntry.placeGroup, timing, by: run.operatorActor)
        }
        return try notify(outcome, run)
    }

    private static func merge(_ run: CommandRun) async throws -> ExitCode {
        let timing = try timing(run)
        return try await run.withDatabase { database, rules in
            let directory = try await CategoryDirectory.load(database)
            let known = try find(run.arguments.argument("category") ?? "", directory)
            let target = try find(run.arguments.text("into") ?? "", directory)
            let merge = MergeCategory(database: database, rules: rules)
            if run.arguments.flag("dry-run") {
                let preview = try await merge.preview(known.id, into: target.id, limit: nil, by: run.operatorActor)
                return try notify(
                    preview, "\(preview.members.count) live entries move, \(preview.members.shared) are there already.",
                    run)
            }
            return try notify(try await merge(known.id, into: target.id, timing, by: run.operatorActor), run)
        }
    }

    private static func part(_ run: CommandRun) async throws -> ExitCode {
        let timing = try timing(run)
        let outcome = try await run.withDatabase { database, rules in
            let known = try find(
                run.arguments.argument("category") ?? "", try await CategoryDirectory.load(database))
            return try await MergeCategory(database: database, rules: rules).part(
                known.id, timing, by: run.operatorActor)
        }
        return try notify(outcome, run)
    }

    private static func archive(_ run: CommandRun) async throws -> ExitCode {
        let timing = try timing(run)
        return try await run.withDatabase { database, _ in
            let known = try find(
                run.arguments.argument("category") ?? "", try await CategoryDirectory.load(database))
            let archive = ArchiveCategory(database: database)
            if run.arguments.flag("dry-run") {
                let preview = try await archive.preview(known.id, limit: nil)
                return try notify(
                    preview, "\(preview.members.count) live entries lose it, \(preview.members.sole) have no other.",
                    run)
            }
            return try notify(try await archive(known.id, timing, by: run.operatorActor), run)
        }
    }

    private static func notify(_ preview: MergeCategory.Preview, _ sentence: String, _ run: CommandRun) throws
        -> ExitCode
    {
        if let refusal = preview.refusal { throw Failure.refused(code: "rule", message: refusal) }
        if let plan = preview.plan { try run.notify(plan.rows) }
        if !run.isJSON { Output.note(sentence) }
        return .ok
    }
}
