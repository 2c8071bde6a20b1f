// The streams of videos from the command line: look whether they are HLS playlists.
import Domain
import Library
import Platform
import Store

enum VideoCommand {
    private static let most = 1000

    static let entries = [
        CommandEntry(
            command: Command(
                "video", "check", summary: "Looks whether the streams of videos are HLS playlists.",
                details: """
                    Fetches the HLS address of the newest version and notes what is found; one that is no playlist is not
                    published. Without ids, every video that nobody has looked at. With --file, what stands at the address
                    is read from a file: for addresses that this machine may not reach.
                    """,
                examples: [
                    .init("video check", ""),
                    .init("video check 0197c0de-0000-7000-8000-000000000001 --file film.m3u8", ""),
                ],
                options: [
                    .init("file", .text(placeholder: "FILE"), "The playlist of the one video; - is standard input."),
                    CommandRun.json,
                ],
                positionals: [.init("id", "The ids of videos.", .any)]),
            run: check)
    ]

    private struct Line: Encodable {
        let id: String
        let isPlaylist: Bool
        let finding: String
    }

    private static func check(_ run: CommandRun) async throws -> ExitCode {
        let given: [ID<Entry>] = try run.arguments.arguments("id").map { try run.id($0) }
        let pasted = try run.arguments.text("file").map { try run.read($0) }
        if pasted != nil, given.count != 1 {
            throw Failure.invalid(FieldErrors("--file", "alone", "A file is the playlist of one video: name its id."))
        }
        let client = try MediaLibrary(try run.settings()).streams
        let actor = run.operatorActor
        return try await run.withDatabase { database, _ in
            let ids = given.isEmpty ? try await database.playlists.unchecked(limit: most) : given
            var isGood = true
            for id in ids {
                let finding = try await CheckPlaylist(database: database, client: client)(
                    id, pasted: pasted, by: actor)
                isGood = isGood && finding.isPlaylist
                if run.isJSON {
                    try Output.json(
                        Line(id: id.description, isPlaylist: finding.isPlaylist, finding: finding.sentence))
                } else {
                    Output.line("\(id)  \(finding.sentence)")
                }
            }
            if ids.isEmpty, !run.isJSON { Output.line("There is no video that nobody has looked at.") }
            return isGood ? .ok : .failure
        }
    }
}
