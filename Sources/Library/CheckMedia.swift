// Compares the images with their files: marks those whose files are lost, and finds files that belong to none.
import Domain
import Store

package struct CheckMedia: Sendable {
    package struct Report: Sendable, Encodable {
        package var images = 0
        package var files = 0
        /// Images whose files were lost since the last check, and those that have them again.
        package var lost: [String] = []
        package var found: [String] = []
        /// Files of no image that are older than an hour: their paths.
        package var orphans: [String] = []
        package var removed = 0
    }

    /// A file this young may belong to an image that is being added.
    package static let youth = Duration.seconds(3600)

    private let database: Database
    private let files: any MediaFiles

    package init(database: Database, files: any MediaFiles) {
        self.database = database
        self.files = files
    }

    /// With `isSweeping` the orphans are removed; `youth` is the age under which a file is left alone.
    package func callAsFunction(
        isSweeping: Bool, youth: Duration = CheckMedia.youth, by actor: Actor
    ) async throws -> Report {
        try actor.require(.edit, "check the media library")
        var report = Report()
        try await checkImages(&report, by: actor)
        try await checkFiles(&report, isSweeping: isSweeping, youth: youth)
        return report
    }

    private func checkImages(_ report: inout Report, by actor: Actor) async throws {
        var cursor: String?
        repeat {
            let page = try await database.media.page(MediaFilter(), cursor: cursor, limit: 200)
            for media in page.items {
                report.images += 1
                let state: MediaState = try await isWhole(media) ? .stored : .missing
                guard state != media.state else { continue }
                let event = AuditEvent(
                    "media.verify", on: "media", media.id.description, detail: ["state": .string(state.rawValue)])
                _ = try await database.change(by: actor, event) { try await $0.media.mark(media.id, state) }
                if state == .missing {
                    report.lost.append(media.id.description)
                } else {
                    report.found.append(media.id.description)
                }
            }
            cursor = page.next
        } while cursor != nil
    }

    private func isWhole(_ media: MediaRow) async throws -> Bool {
        for file in media.files {
            guard let path = MediaPath(file.path), try await files.size(path) == file.bytes else { return false }
        }
        return !media.files.isEmpty
    }

    private func checkFiles(_ report: inout Report, isSweeping: Bool, youth: Duration) async throws {
        var last: MediaPath?
        while true {
            let (batch, isAll) = try await files.list(after: last)
            let known = try await database.media.known(batch.map(\.path.text))
            report.files += batch.count
            for (path, age) in batch where age >= youth && !known.contains(path.text) {
                report.orphans.append(path.text)
                if isSweeping {
                    try await files.remove(path)
                    report.removed += 1
                }
            }
            guard !isAll, let end = batch.last else { return }
            last = end.path
        }
    }
}
