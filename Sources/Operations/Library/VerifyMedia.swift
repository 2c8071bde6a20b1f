// Verifies the media library: marks images with missing files and finds files without an image.
import Domain
import Localization
import Store

package struct VerifyMedia: Sendable {
    package struct Report: Sendable, Encodable {
        package var images = 0
        package var files = 0
        /// Images whose files went missing since the last check, and images whose files are back.
        package var missing: [String] = []
        package var restored: [String] = []
        /// Paths of files without an image that are older than an hour.
        package var orphans: [String] = []
        package var removed = 0
    }

    /// A younger file may belong to an image that is being added.
    package static let minimumAge = Duration.seconds(3600)

    let database: Database
    let files: any MediaFiles

    /// `removesOrphans` deletes orphaned files; younger files than `minimumAge` are skipped.
    package func callAsFunction(
        removesOrphans: Bool, minimumAge: Duration = VerifyMedia.minimumAge, by actor: Actor
    ) async throws -> Report {
        try actor.require(.edit, tr("verify the media library"))
        let store = VerifyMediaStore(database.identities, files: files)
        if removesOrphans { try await store.beforeDeleting() } else { try await store() }
        var report = Report()
        try await checkImages(&report, by: actor)
        try await checkFiles(&report, removesOrphans: removesOrphans, minimumAge: minimumAge)
        return report
    }

    private func checkImages(_ report: inout Report, by actor: Actor) async throws {
        var cursor: String?
        repeat {
            let page = try await database.media.page(MediaFilter(), cursor: cursor, limit: 200)
            for media in page.items {
                report.images += 1
                let state: MediaState = try await isComplete(media) ? .stored : .missing
                guard state != media.state else { continue }
                let event = AuditEvent(
                    "media.verify", on: "media", media.id.description, detail: ["state": .string(state.rawValue)])
                _ = try await database.transaction(by: actor, event) { try await $0.media.setState(media.id, state) }
                if state == .missing {
                    report.missing.append(media.id.description)
                } else {
                    report.restored.append(media.id.description)
                }
            }
            cursor = page.next
        } while cursor != nil
    }

    private func isComplete(_ media: MediaRow) async throws -> Bool {
        for file in media.files {
            guard let path = MediaPath(file.path), try await files.size(path) == file.bytes else { return false }
        }
        return !media.files.isEmpty
    }

    private func checkFiles(_ report: inout Report, removesOrphans: Bool, minimumAge: Duration) async throws {
        var last: MediaPath?
        while true {
            let (batch, isAll) = try await files.list(after: last)
            let known = try await database.media.known(batch.map(\.path.text))
            report.files += batch.count
            for (path, age) in batch where age >= minimumAge && !known.contains(path.text) {
                report.orphans.append(path.text)
                if removesOrphans {
                    try await files.remove(path)
                    report.removed += 1
                }
            }
            guard !isAll, let end = batch.last else { return }
            last = end.path
        }
    }
}
