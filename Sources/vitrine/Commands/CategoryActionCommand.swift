// Creates, renames, moves, merges and archives categories, now or with a release.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum CategoryActionCommand {
    private enum Arguments {
        static let group = Command.Option("group", .integer(placeholder: "1|2", in: 1...2), "New group.")
        static let slug = Command.Option("slug", .text(placeholder: "SLUG"), "Slug; derived from the title by default.")
        static let position = Command.Option(
            "position", .integer(placeholder: "N", in: ReorderCategories.positionRange),
            "Position in the group; last by default.")
        static let title = Command.Positional("title", "Title.")
        static let name = Command.Positional("name", "New name.")
        static let into = Command.Option(
            "into", .text(placeholder: "CATEGORY"), "Category that remains.", isRequired: true)
    }

    private static let category = Command.Positional("category", "Category id, slug or name.")
    private static let timing: [Command.Option] = [
        CommandRun.release, CommandRun.draft, CommandRun.at, CommandRun.zone, CommandRun.json,
    ]

    static let entries = [
        CommandEntry(
            "category", "create", summary: "Create a category at the end of its group.",
            details: """
                Apps show it once it has a published member. Names must be unique in the group; similar names are \
                reported.
                """,
            options: [
                Arguments.group.with(summary: "Group.", isRequired: true),
                Arguments.slug, Arguments.position,
            ] + timing,
            positionals: [Arguments.title], run: create),
        CommandEntry(
            "category", "update", summary: "Rename a category or a category group.",
            details: "The old slug redirects to the new one permanently.", options: timing,
            positionals: [category, Arguments.name], run: update),
        CommandEntry(
            "category", "move", summary: "Move a category to another group or position.",
            examples: [
                .init("category move airport --group 2", "to the end of the second group"),
                .init("category move pizza --position 1", "to the first position of its group"),
            ],
            options: [Arguments.group, Arguments.position.with(summary: "New position, counted from 1.")] + timing,
            positionals: [category], run: move),
        CommandEntry(
            "category", "merge", summary: "Merge a category into another and redirect its URL.",
            details: "Members are not rewritten, so \"category unmerge\" restores everything exactly.",
            examples: [.init("category merge coffee --into cafe --dry-run", "shows the row changes")],
            options: [Arguments.into, CommandRun.dryRun] + timing, positionals: [category], run: merge),
        CommandEntry(
            "category", "unmerge", summary: "Undo the merge of a category.", options: timing, positionals: [category],
            run: unmerge),
        CommandEntry(
            "category", "archive", summary: "Archive a category.",
            details: "Refused while it is the only category of a published entry.",
            options: [CommandRun.dryRun] + timing, positionals: [category], run: archive),
    ]

    private static func report(_ outcome: ChangeOutcome, _ run: CommandRun) throws -> ExitCode {
        if let clockChange = outcome.clockChange { Output.note(clockChange) }
        return try run.report(
            [
                "category": outcome.entries.count == 1 ? outcome.entry : nil, "publication": outcome.publication,
                "release": outcome.release, "drafts": outcome.drafts,
            ],
            outcome.publication.map { "Published in publication \($0)." }
                ?? outcome.release.map { "Added to release \($0)." }
                ?? "Saved as draft. Approve and publish it to show it to readers.")
    }

    /// Finds a category by id, slug or name. A name of several is refused.
    private static func find(_ text: String, _ directory: CategoryDirectory) throws -> EntryChoice {
        var names = NameIndex()
        for category in directory.categories { names.add(category.id, named: category.title) }
        let slug = directory.categories.first { $0.slug == text }?.id
        guard let found = (ID<Entry>(text) ?? slug ?? names.find(text).only).flatMap(directory.find) else {
            guard case .several(let ids) = names.find(text) else { throw Failure.missing("category \"\(text)\"") }
            let slugs = ids.compactMap { directory.find($0)?.slug }.joined(separator: ", ")
            throw Failure.refused(
                code: "ambiguous", message: "\"\(text)\" is the name of several categories. Use a slug: \(slugs).")
        }
        return found
    }

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let timing = try run.publishTiming()
        let title = run.arguments.argument(Arguments.title) ?? ""
        let (outcome, similar) = try await run.withDatabase { database, services in
            let outcome = try await services.createCategory(
                named: title,
                in: run.arguments.integer(Arguments.group) == 1 ? SeedEntry.topicGroup : SeedEntry.placeGroup,
                slug: run.arguments.text(Arguments.slug), position: run.arguments.integer(Arguments.position), timing,
                by: run.operatorActor)
            let directory = try await CategoryDirectory.load(database)
            return (outcome, directory.similar(title, besides: outcome.entry))
        }
        if let similar { Output.note("Possible duplicate of \(similar.title) (\(similar.slug)).") }
        return try report(outcome, run)
    }

    private static func update(_ run: CommandRun) async throws -> ExitCode {
        let timing = try run.publishTiming()
        let outcome = try await run.withDatabase { database, services in
            let text = run.arguments.argument(Self.category) ?? ""
            let groups = try await database.entries.choices(.categoryGroup)
            let directory = try await CategoryDirectory.load(database)
            let known =
                try groups.first { $0.slug == text || $0.id.description == text } ?? find(text, directory)
            return try await services.renameCategory(
                known.id, from: known.title, to: run.arguments.argument(Arguments.name) ?? "", timing,
                by: run.operatorActor)
        }
        return try report(outcome, run)
    }

    private static func move(_ run: CommandRun) async throws -> ExitCode {
        let timing = try run.publishTiming()
        let (group, position) = (run.arguments.integer(Arguments.group), run.arguments.integer(Arguments.position))
        guard (group == nil) != (position == nil) else {
            throw Failure.invalid(FieldErrors("--group", "required", "Use either --group or --position."))
        }
        let outcome = try await run.withDatabase { database, services in
            let known = try find(
                run.arguments.argument(Self.category) ?? "", try await CategoryDirectory.load(database))
            if let position {
                return try await services.reorderCategories.move(
                    known.id, previous: known.position, to: position - 1, timing, by: run.operatorActor)
            }
            return try await services.moveCategory(
                known.id, from: known.categoryGroup ?? known.id,
                to: group == 1 ? SeedEntry.topicGroup : SeedEntry.placeGroup, timing, by: run.operatorActor)
        }
        return try report(outcome, run)
    }

    private static func merge(_ run: CommandRun) async throws -> ExitCode {
        let timing = try run.publishTiming()
        return try await run.withDatabase { database, services in
            let directory = try await CategoryDirectory.load(database)
            let known = try find(run.arguments.argument(Self.category) ?? "", directory)
            let target = try find(run.arguments.text(Arguments.into) ?? "", directory)
            let merge = services.mergeCategory
            if run.arguments.flag(CommandRun.dryRun) {
                let preview = try await merge.preview(known.id, into: target.id, limit: nil, by: run.operatorActor)
                return try report(
                    preview,
                    "\(preview.members.count) published entries would move; \(preview.members.shared) are in both categories.",
                    run)
            }
            return try report(try await merge(known.id, into: target.id, timing, by: run.operatorActor), run)
        }
    }

    private static func unmerge(_ run: CommandRun) async throws -> ExitCode {
        let timing = try run.publishTiming()
        let outcome = try await run.withDatabase { database, services in
            let known = try find(
                run.arguments.argument(Self.category) ?? "", try await CategoryDirectory.load(database))
            return try await services.mergeCategory.unmerge(
                known.id, timing, by: run.operatorActor)
        }
        return try report(outcome, run)
    }

    private static func archive(_ run: CommandRun) async throws -> ExitCode {
        let timing = try run.publishTiming()
        return try await run.withDatabase { database, services in
            let known = try find(
                run.arguments.argument(Self.category) ?? "", try await CategoryDirectory.load(database))
            let archive = services.archiveCategory
            if run.arguments.flag(CommandRun.dryRun) {
                let preview = try await archive.preview(known.id, limit: nil)
                return try report(
                    preview,
                    "\(preview.members.count) published entries would lose it; \(preview.members.sole) have no other category.",
                    run)
            }
            return try report(try await archive(known.id, timing, by: run.operatorActor), run)
        }
    }

    private static func report(_ preview: MergeCategory.Preview, _ sentence: String, _ run: CommandRun) throws
        -> ExitCode
    {
        if let refusal = preview.refusal { throw Failure.refused(code: "rule", message: refusal) }
        if let plan = preview.plan { try run.report(plan.rows) }
        run.note(sentence)
        return .ok
    }
}
