// Images from the command line: add, list, show, describe, remove, and compare the library with its files.
import Domain
import Library
import Platform
import Store

enum MediaCommand {
    private static let id = Command.Positional("id", "The id of an image.")

    static let entries = [
        CommandEntry(
            command: Command(
                "media", "add", summary: "Takes an image into the media library.",
                details: """
                    The file is read by a program of its own within the configured limits and encoded anew: orientation
                    applied, place and camera left out. The same file again gives the image that is there already.
                    """,
                examples: [.init("media add harbour.jpg --alt \"Boats in the harbour at dusk\"", "")],
                options: [
                    .init("alt", .text(placeholder: "TEXT"), "What it shows, for people who cannot see it."),
                    CommandRun.json,
                ],
                positionals: [.init("file", "JPEG, PNG, WebP, GIF, HEIC or AVIF; - is standard input.")]),
            run: add),
        CommandEntry(
            command: Command(
                "media", "list", summary: "Lists the images, newest first.",
                options: [
                    .init("search", .text(placeholder: "WORDS"), "Only those whose name or description has these."),
                    .init(
                        "state", .choice(["unused", "undescribed", "missing"]),
                        "Only those shown nowhere, without alternative text, or without files."),
                    .init("limit", .integer(placeholder: "N", in: 1...1000), "How many; 100 unless said."),
                    CommandRun.json,
                ]),
            run: list),
        CommandEntry(
            command: Command(
                "media", "show", summary: "Shows one image, its files and where it is used.",
                options: [CommandRun.json], positionals: [id]),
            run: show),
        CommandEntry(
            command: Command(
                "media", "describe", summary: "Changes the alternative text of an image.",
                details: "Entries that show it take the change over with their next version.",
                options: [
                    .init("alt", .text(placeholder: "TEXT"), "What it shows.", isRequired: true), CommandRun.json,
                ],
                positionals: [id]),
            run: describe),
        CommandEntry(
            command: Command(
                "media", "remove", summary: "Removes an image that is shown nowhere.", options: [CommandRun.json],
                positionals: [id]),
            run: remove),
        CommandEntry(
            command: Command(
                "media", "check", summary: "Compares the images with their files.",
                details: """
                    Marks images whose files are lost: they cannot be published until they are added again. Names files
                    that belong to no image and are older than an hour; --sweep removes those.
                    """,
                options: [.init("sweep", .flag, "Remove files of no image."), CommandRun.json]),
            run: check),
    ]

    private static func add(_ run: CommandRun) async throws -> ExitCode {
        let path = run.arguments.argument("file") ?? ""
        let bytes = try run.read(path)
        let alt = run.arguments.text("alt") ?? ""
        let library = try MediaLibrary(try run.settings())
        let actor = run.operatorActor
        let kept = try await run.withDatabase { database, _ in
            try await IngestImage(database: database, maker: library.maker, files: library.files)(
                bytes, name: path == "-" ? "" : path, alt: alt, by: actor)
        }
        if run.isJSON {
            try Output.json(MediaOutput(kept.media, library.baseURL))
        } else {
            let size = kept.media.files.last.map { "\($0.width) by \($0.height)" } ?? ""
            Output.line("\(kept.media.id)  \(size)\(kept.isNew ? "" : ", known already")  \(kept.media.name)")
            if kept.media.alt.isEmpty {
                Output.note("It has no alternative text; without one nothing that shows it can be published.")
            }
        }
        return .ok
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let filter = MediaFilter(words: run.arguments.text("search"), state: run.arguments.text("state"))
        let limit = run.arguments.integer("limit") ?? 100
        let base = try MediaLibrary(try run.settings()).baseURL
        let page = try await run.withDatabase { database, _ in
            try await database.media.page(filter, cursor: nil, limit: limit)
        }
        for media in page.items {
            if run.isJSON {
                try Output.json(MediaOutput(media, base))
            } else {
                let use = media.state == .missing ? "missing" : media.isLive ? "live" : media.isUsed ? "used" : "unused"
                Output.line("\(media.id)  \(use)  \(media.name)  \(media.alt)")
            }
        }
        if page.next != nil { Output.note("There are more; raise --limit.") }
        return .ok
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Media> = try run.id(run.arguments.argument("id") ?? "")
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
        Output.line("alternative text: \(media.alt.isEmpty ? "none yet" : media.alt)")
        for file in media.files {
            Output.line("\(file.width) by \(file.height)  \(file.bytes) bytes  \(base)\(file.path)")
        }
        for use in uses {
            let place = use.isLive ? "live" : use.isPast ? "older versions" : "not live"
            Output.line("used in \(use.type) \(use.entry)  \(use.title)  (\(place))")
        }
        if uses.isEmpty { Output.line("used nowhere") }
        return .ok
    }

    private static func describe(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Media> = try run.id(run.arguments.argument("id") ?? "")
        let alt = run.arguments.text("alt") ?? ""
        let actor = run.operatorActor
        let base = try MediaLibrary(try run.settings()).baseURL
        let media = try await run.withDatabase { database, _ in
            guard let media = try await database.media.find(id) else { throw Failure.missing("image") }
            try await MediaDescription(database: database)(id, alt: alt, focus: media.focus, by: actor)
            return try await database.media.find(id)
        }
        guard let media else { throw Failure.missing("image") }
        if run.isJSON { try Output.json(MediaOutput(media, base)) } else { Output.line("\(media.id)  \(media.alt)") }
        return .ok
    }

    private static func remove(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Media> = try run.id(run.arguments.argument("id") ?? "")
        let actor = run.operatorActor
        try await run.withDatabase { database, _ in try await RemoveMedia(database: database)(id, by: actor) }
        if run.isJSON { try Output.json(["removed": id.description]) } else { Output.line("\(id) removed") }
        return .ok
    }

    private static func check(_ run: CommandRun) async throws -> ExitCode {
        let isSweeping = run.arguments.flag("sweep")
        let files = try MediaLibrary(try run.settings()).files
        let actor = run.operatorActor
        let report = try await run.withDatabase { database, _ in
            try await CheckMedia(database: database, files: files)(isSweeping: isSweeping, by: actor)
        }
        if run.isJSON {
            try Output.json(report)
        } else {
            Output.line("\(report.images) images, \(report.files) files")
            for id in report.lost { Output.line("files lost: \(id)") }
            for id in report.found { Output.line("files there again: \(id)") }
            for path in report.orphans { Output.line("\(isSweeping ? "removed" : "belongs to no image"): \(path)") }
        }
        return report.lost.isEmpty ? .ok : .failure
    }
}
