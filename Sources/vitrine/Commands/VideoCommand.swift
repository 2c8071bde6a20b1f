// Verifies that the streams of videos are HLS playlists.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum VideoCommand {
    private enum Arguments {
        static let file = Command.Option(
            "file", .text(placeholder: "FILE"), "Playlist of one video; - for standard input.")
        static let id = Command.Positional("id", "Video ids.", .any)
    }

    private static let limit = 1000

    static let entries = [
        CommandEntry(
            "video", "verify", summary: "Verify that video streams are HLS playlists.",
            details: """
                Fetches the stream URL of the latest version and saves the result; a stream that is no playlist can't
                be published. Without ids, verifies every video that wasn't verified yet. With --file, reads the
                playlist from a file, for URLs that this machine can't reach.
                """,
            examples: [
                .init("video verify", ""),
                .init("video verify 0197c0de-0000-7000-8000-000000000001 --file film.m3u8", ""),
            ],
            options: [Arguments.file, CommandRun.json], positionals: [Arguments.id], run: verify)
    ]

    private static func verify(_ run: CommandRun) async throws -> ExitCode {
        let given: [ID<Entry>] = try run.arguments.arguments(Arguments.id).map { try run.id($0) }
        let playlist = try run.arguments.text(Arguments.file).map { try run.read($0) }
        if playlist != nil, given.count != 1 {
            throw Failure.invalid(FieldErrors("--file", "alone", "Use --file with exactly one video id."))
        }
        let client = try MediaLibrary(try run.settings()).streams
        return try await run.withDatabase { database, _ in
            let ids = given.isEmpty ? try await database.playlists.unchecked(limit: limit) : given
            var isGood = true
            for id in ids {
                let finding = try await VerifyPlaylist(database: database, client: client)(
                    id, pasted: playlist, by: run.operatorActor)
                isGood = isGood && finding.isPlaylist
                try run.report(
                    ["id": id, "is_playlist": finding.isPlaylist, "finding": finding.sentence],
                    "\(id)  \(finding.sentence)")
            }
            if ids.isEmpty, !run.isJSON { Output.line("Every video has been verified.") }
            return isGood ? .ok : .failure
        }
    }
}
