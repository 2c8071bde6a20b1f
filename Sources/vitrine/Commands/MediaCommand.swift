// Creates, lists, shows, updates, deletes and verifies images in the media library.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum MediaCommand {
    private enum Arguments {
        static let alt = Command.Option("alt", .text(placeholder: "TEXT"), "Alternative text: what the image shows.")
        static let file = Command.Positional("file", "JPEG, PNG, WebP, GIF, HEIC, AVIF or SVG; - for standard input.")
        static let query = Command.Option(
            "query", .text(placeholder: "TEXT"), "Only images whose name or alternative text matches.")
        static let state = Command.Option(
            "state", .choice(["unused", "undescribed", "missing"]),
            "Only unused images, or those without alternative text or files.")
        static let limit = Command.Option(
            "limit", .integer(placeholder: "N", in: 1...1000), "Maximum number; 100 by default.")
        static let sweep = Command.Option("sweep", .flag, "Delete files that belong to no image.")
        static let confirm = Command.Option("confirm", .text(placeholder: "ID"), "Id of the store to adopt.")
    }

    private static let id = Command.Positional("id", "Image id.")

    static let entries = [
        CommandEntry(
            "media", "create", summary: "Add an image to the media library.",
            details: """
                A separate process with limited resources re-encodes the image: orientation is applied, location and
                camera data are removed. A file that is already in the library returns its existing image.
                """,
            examples: [.init("media create harbor.jpg --alt \"Boats in the harbor at dusk\"", "")],
            options: [Arguments.alt, CommandRun.json], positionals: [Arguments.file], run: create),
        CommandEntry(
            "media", "list", summary: "List images, newest first.",
            options: [Arguments.query, Arguments.state, Arguments.limit, CommandRun.json], run: list),
        CommandEntry(
            "media", "show", summary: "Show an image, its files and where it is used.", options: [CommandRun.json],
            positionals: [id], run: show),
        CommandEntry(
            "media", "update", summary: "Change the alternative text of an image.",
            details: "Entries that use the image pick up the change with their next version.",
            options: [Arguments.alt.with(summary: "Alternative text.", isRequired: true), CommandRun.json],
            positionals: [id], run: update),
        CommandEntry(
            "media", "delete", summary: "Delete an unused image.", options: [CommandRun.json], positionals: [id],
            run: delete),
        CommandEntry(
            "media", "verify", summary: "Compare the media library with its files.",
            details: """
                Marks images whose files are missing: they can't be published until they are added again. Lists files
                that belong to no image and are older than an hour; --sweep deletes them.
                """,
            options: [Arguments.sweep, CommandRun.json], run: verify),
        CommandEntry(
            "media", "adopt", summary: "Make the configured media store the one of this database.",
            details: """
                For recovery after the store or the database was restored, cloned or moved: a copy of a database deletes
                no files until it adopts its store, because the original may use them, too. A store without an id gets the
                recorded one; otherwise the database records the id of the store. Without --confirm, shows the id. Run
                "media verify" and restart all daemons afterwards.
                """,
            options: [Arguments.confirm, CommandRun.json], run: adopt),
    ]

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let path = run.arguments.argument(Arguments.file) ?? ""
        let bytes = try run.read(path)
        let alt = run.arguments.text(Arguments.alt) ?? ""
        let library = try MediaLibrary(try run.settings())
        let created = try await run.withDatabase { _, services in
            try await services.ingestImage(
                bytes, name: path == "-" ? "" : path, alt: alt, by: run.operatorActor)
        }
        let size = created.media.files.last.map { "\($0.width) by \($0.height)" } ?? ""
        try run.report(
            json: MediaOutput(created.media, library.baseURL),
            "\(created.media.id)  \(size)\(created.isNew ? "" : ", already in the library")  \(created.media.name)")
        if created.media.alt.isEmpty {
            run.note("The image has no alternative text. Add one before you publish entries that use it.")
        }
        return .ok
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let filter = MediaFilter(query: run.arguments.text(Arguments.query), state: run.arguments.text(Arguments.state))
        let limit = run.arguments.integer(Arguments.limit) ?? 100
        let base = try MediaLibrary(try run.settings()).baseURL
        let page = try await run.withDatabase { database, _ in
            try await database.media.page(filter, cursor: nil, limit: limit)
        }
        for media in page.items {
            let use =
                media.state == .missing ? "missing" : media.isLive ? "published" : media.isUsed ? "used" : "unused"
            try run.report(json: MediaOutput(media, base), "\(media.id)  \(use)  \(media.name)  \(media.alt)")
        }
        if page.next != nil { Output.note("More images match. Increase --limit to list them.") }
        return .ok
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Media> = try run.id(run.arguments.argument(Self.id) ?? "")
        let base = try MediaLibrary(try run.settings()).baseURL
        let (media, uses) = try await run.withDatabase { database, _ in
            guard let media = try await database.media.find(id) else { throw Failure.missing("image") }
            return (media, try await database.media.uses(of: id))
        }
        if run.isJSON {
            try Output.json(MediaOutput(media, base, uses: uses))
            return .ok
        }
        Output.line("\(media.id)  \(media.name)  \(media.type)")
        Output.line("alternative text: \(media.alt.isEmpty ? "none" : media.alt)")
        for file in media.files {
            Output.line("\(file.width) by \(file.height)  \(file.bytes) bytes  \(base)\(file.path)")
        }
        for use in uses {
            let version = use.isLive ? "published" : use.isPast ? "older version" : "not published"
            Output.line("used in \(use.type) \(use.entry)  \(use.title)  (\(version))")
        }
        if uses.isEmpty { Output.line("not used") }
        return .ok
    }

    private static func update(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Media> = try run.id(run.arguments.argument(Self.id) ?? "")
        let alt = run.arguments.text(Arguments.alt) ?? ""
        let base = try MediaLibrary(try run.settings()).baseURL
        let media = try await run.withDatabase { database, services in
            guard let media = try await database.media.find(id) else { throw Failure.missing("image") }
            try await services.updateMedia(id, alt: alt, focus: media.focus, by: run.operatorActor)
            return try await database.media.find(id)
        }
        guard let media else { throw Failure.missing("image") }
        return try run.report(json: MediaOutput(media, base), "\(media.id)  \(media.alt)")
    }

    private static func delete(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Media> = try run.id(run.arguments.argument(Self.id) ?? "")
        try await run.withDatabase { _, services in try await services.deleteMedia(id, by: run.operatorActor) }
        return try run.report(["deleted": id], "Image \(id) deleted.")
    }

    private static func verify(_ run: CommandRun) async throws -> ExitCode {
        let removesOrphans = run.arguments.flag(Arguments.sweep)
        let report = try await run.withDatabase { _, services in
            try await services.verifyMedia(removesOrphans: removesOrphans, by: run.operatorActor)
        }
        if run.isJSON {
            try Output.json(report)
        } else {
            Output.line("\(report.images) images, \(report.files) files")
            for id in report.missing { Output.line("files missing: \(id)") }
            for id in report.restored { Output.line("files restored: \(id)") }
            for path in report.orphans { Output.line("\(removesOrphans ? "deleted" : "belongs to no image"): \(path)") }
        }
        return report.missing.isEmpty ? .ok : .failure
    }

    private static func adopt(_ run: CommandRun) async throws -> ExitCode {
        let files = try MediaLibrary(try run.settings()).files
        let confirmed = run.arguments.text(Arguments.confirm)
        let plan = try await run.withDatabase { database, _ in
            let adopt = AdoptMediaStore(database: database, files: files)
            if let confirmed { try await adopt(confirmed, by: run.operatorActor) }
            return try await adopt.plan()
        }
        if plan.isCopy, !run.isJSON {
            Output.line("This database is a copy. Adopt only a store that its original doesn't use any more.")
        }
        try run.report(
            ["location": plan.location, "id": plan.id, "adopted": plan.isAdopted, "copy": plan.isCopy],
            "\(plan.id)  \(plan.location)\(plan.isAdopted ? "  (the store of this database)" : "")")
        return run.adoption(isAdopted: plan.isAdopted, isConfirmed: confirmed != nil, plan.id)
    }
}
