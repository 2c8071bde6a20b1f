// Fetches external images of approved content into the media library, and publishes the entries with the library's (A30,
// A41). Runs in the background: a publication never waits for it.
import Domain
import Fetch
import Localization
import Platform
import Store

package struct FetchExternalImages: Sendable {
    /// The most images of one pass.
    package static let batch = 20
    private static let concurrency = 4
    /// Entries in one publication, which holds the publication lock while their revisions are written. Each publication
    /// notifies readers and webhooks, so an image that thousands of entries show must not take hundreds of them.
    private static let entriesPerPublication = 50...300
    /// How long a publication may hold the lock: the number of its entries follows from the duration of the last one.
    private static let lockMilliseconds = 200
    private static let note = "External images stored in the media library"
    /// Stored images whose entries one pass updates.
    private static let imagesPerPass = 100
    private static let maxRedirects = 3
    /// The longest time for which a server postpones its images, in seconds.
    private static let maxPause = 3600
    private static let actor = Actor(kind: .system, name: "system")

    private let database: Database
    private let library: MediaLibrary
    private let rules: ExternalImageRules
    private let content: ContentRules
    private let client: FetchClient
    private let log: Logger

    package init(
        database: Database, library: MediaLibrary, rules: ExternalImageRules, content: ContentRules,
        client: FetchClient, log: Logger
    ) {
        self.database = database
        self.library = library
        self.rules = rules
        self.content = content
        self.client = client
        self.log = log
    }

    /// One pass. Returns how many images were tried.
    package func callAsFunction(unless isStopping: @escaping @Sendable () -> Bool = { false }) async throws -> Int {
        let tried = try await fetchWaiting(unless: isStopping)
        try await showStored()
        return tried
    }

    // MARK: Fetching

    /// Nothing is fetched once the images occupy the budget (>=); waiting images are fetched when it is raised.
    private func fetchWaiting(unless isStopping: @escaping @Sendable () -> Bool) async throws -> Int {
        let images = database.externalImages
        guard rules.isEnabled, try await images.hasWaiting(),
            try await images.usedBytes() < library.fetchBudgetBytes
        else { return 0 }
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<Self.concurrency {
                group.addTask {
                    var tried = 0
                    while tried < Self.batch / Self.concurrency, !isStopping(),
                        let image = try await database.externalImages.claim()
                    {
                        try await fetch(image)
                        tried += 1
                    }
                    return tried
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// Why an image was not fetched. A passing problem is tried again.
    private struct Problem: Error {
        let message: String
        var isPassing = false
        var pauseSeconds: Int?
    }

    /// The image stays on its server, because a setting says so.
    private struct Exclusion: Error {
        let reason: String
    }

    private func fetch(_ image: ExternalImageRow) async throws {
        let images = database.externalImages
        if let reason = rules.reason(against: image) { return try await images.exclude(image.id, reason) }
        do {
            let bytes = try await download(image.url)
            let name = image.url.split { $0 == "?" || $0 == "#" }.first.map(String.init) ?? ""
            let alt = String(PlainText.singleLine(image.alt).unicodeScalars.prefix(500))
            let files = EncodedFiles(database: database, processor: library.processor, files: library.files)
            let added = try await IngestImage(database: database, files: files)(
                bytes, name: name, alt: alt, by: Self.actor)
            let size = added.isNew ? added.media.files.reduce(0) { $0 + $1.bytes } : 0
            let media = added.media.id
            let event = AuditEvent("external_image.add", on: "external_image", image.id.description)
            try await database.transaction(by: Self.actor, event) { transaction in
                try await transaction.externalImages.store(image.id, as: media, bytes: size)
            }
        } catch let exclusion as Exclusion {
            try await images.exclude(image.id, exclusion.reason)
        } catch let problem as Problem {
            try await record(problem, image)
        } catch Failure.invalid(let errors) {
            try await record(Problem(message: errors.items.first?.message ?? tr("This is not an image.")), image)
        } catch let failure as Failure {
            try await record(Problem(message: failure.sentence, isPassing: true), image)
        }
    }

    private func record(_ problem: Problem, _ image: ExternalImageRow) async throws {
        log.warning(
            "an external image was not fetched", ["url": .text(image.url), "reason": .text(problem.message)])
        try await database.externalImages.fail(image.id, problem.message, isFinal: !problem.isPassing)
        if let seconds = problem.pauseSeconds {
            try await database.externalImages.postponeHost(of: image.id, seconds: min(seconds, Self.maxPause))
        }
    }

    /// Follows redirects as new requests, each of which the policy and the excluded hosts are checked for.
    private func download(_ address: String) async throws -> [UInt8] {
        var address = address
        for _ in 0...Self.maxRedirects {
            let response = try await send(to: address)
            switch response.status {
            case 200 where response.isCut || response.length ?? 0 > library.processor.limits.bytes:
                throw Problem(message: tr("The image is larger than \(library.processor.limits.bytes) bytes."))
            case 200: return response.body
            case 300...399:
                guard let next = response.redirect else {
                    throw Problem(message: tr("The server sent an empty redirect."))
                }
                address = next
            case 408, 425, 429, 500...599:
                throw Problem(
                    message: tr("The server returned status \(response.status)."), isPassing: true,
                    pauseSeconds: response.retryAfter ?? 60)
            default: throw Problem(message: tr("The server returned status \(response.status)."))
            }
        }
        throw Problem(message: tr("The server redirects more than \(Self.maxRedirects) times."))
    }

    private func send(to address: String) async throws -> FetchResponse {
        var request = FetchRequest("GET", headers: [("Accept", "image/*")])
        request.responseLimit = library.processor.limits.bytes
        do {
            let target = try FetchTarget(Self.ascii(address), policy: rules.policy)
            if let reason = rules.reason(against: target) { throw Exclusion(reason: reason) }
            return try await client.send(request, to: target.text)
        } catch let refusal as FetchRefusal {
            throw Problem(message: refusal.description)
        } catch let failure as FetchFailure {
            throw Problem(
                message: tr("The server did not respond: \(failure.description)"), isPassing: true, pauseSeconds: 60)
        }
    }

    /// The URL as it is sent: texts contain URLs with letters of any language.
    private static func ascii(_ url: String) -> String {
        url.utf8.map { (0x21...0x7E).contains($0) ? String(Unicode.Scalar($0)) : "%" + Hex.text([$0]) }.joined()
    }

    // MARK: Publishing

    private func showStored() async throws {
        let images = try await database.externalImages.due(limit: Self.imagesPerPass)
        guard !images.isEmpty else { return }
        var last: ID<Entry>?
        var count = Self.entriesPerPublication.lowerBound
        repeat {
            let entries = try await database.externalImages.entries(showing: images, after: last, limit: count)
            if !entries.isEmpty { count = Self.nextCount(after: count, try await publish(entries)) }
            last = entries.last
        } while last != nil
        let shown = images
        let event = AuditEvent(
            "external_image.show", on: "external_image", detail: ["images": .int(Int64(shown.count))])
        _ = try await database.transaction(by: Self.actor, event) { transaction in
            try await transaction.externalImages.show(shown, by: transaction.actor)
        }
    }

    private static func nextCount(after count: Int, _ milliseconds: Int) -> Int {
        let fitting = min(count * lockMilliseconds / max(milliseconds, 1), count * 2)
        return min(max(fitting, entriesPerPublication.lowerBound), entriesPerPublication.upperBound)
    }

    /// All in one publication; if that is refused, each half on its own, so that one entry does not hold up others.
    /// Returns the most milliseconds for which the publication lock was held.
    private func publish(_ entries: [ID<Entry>]) async throws -> Int {
        do {
            return try await replaceImages(of: entries)
        } catch let failure as Failure {
            switch failure {
            // Not about an entry: the next pass goes on.
            case .unavailable, .conflict(code: "busy", _): throw failure
            default: break
            }
            if entries.count == 1 {
                let message = tr("The entry can't be published with the stored image: \(failure.sentence)")
                log.warning(
                    "an external image is still shown",
                    ["entry": .text(entries[0].description), "reason": .text(message)])
                try await database.externalImages.note(message, on: entries[0])
                return 0
            }
            let half = entries.count / 2
            let first = try await publish(Array(entries[..<half]))
            let second = try await publish(Array(entries[half...]))
            return max(first, second)
        }
    }

    /// The next revision of a published entry, and the one that readers see.
    private struct Replacement: Sendable {
        let live: RevisionRow
        let draft: EntryDraft
    }

    /// Revisions with the library's images on top of the live ones. An entry with a newer revision is left out: that one
    /// gets the images when it is next saved.
    private func replacements(for entries: [ID<Entry>]) async throws -> [Replacement] {
        let types = Dictionary(try await database.entries.types(of: entries)) { first, _ in first }
        let live = try await database.revisions.newest(of: entries).filter(\.isLive)
        var found: [Replacement] = []
        for (name, revisions) in Dictionary(grouping: live, by: { types[$0.entry] ?? "" }) {
            guard let type = content.types[name] else { continue }
            let completed = try await database.media.completing(revisions.map(\.content), of: type)
            for (revision, next) in zip(revisions, completed) where next != revision.content {
                let draft = EntryDraft(
                    entry: revision.entry, type: type, content: next,
                    texts: try await content.texts(of: next, in: type), base: revision.number, note: Self.note)
                found.append(Replacement(live: revision, draft: draft))
            }
        }
        return found
    }

    /// Writes and publishes these revisions. They keep the approvals of the live ones, because readers see the same
    /// content, and their times. Everything that takes long is prepared before the lock. Returns for how many
    /// milliseconds the lock was held.
    private func replaceImages(of entries: [ID<Entry>]) async throws -> Int {
        let prepared = try await replacements(for: entries)
        guard !prepared.isEmpty else { return 0 }
        let clock = try await database.work(as: Self.actor) { transaction -> Stopwatch in
            _ = try await transaction.publications.lock()
            let clock = Stopwatch()
            let newest = try await transaction.revisions.newest(of: prepared.map(\.live.entry))
            let live = Set(newest.filter(\.isLive).map(\.id))
            let current = prepared.filter { live.contains($0.live.id) }
            if current.isEmpty { return clock }
            try await transaction.audit(
                current.map { entry in
                    let event = AuditEvent(
                        "entry.update", on: "entry", entry.live.entry.description,
                        detail: ["base": .int(Int64(entry.live.number)), "images": "stored"])
                    return (event, transaction.actor)
                })
            let changes = try await write(current, transaction)
            _ = try await transaction.publications.publish(.listed(changes), note: Self.note, by: transaction.actor)
            return clock
        }
        let milliseconds = clock.milliseconds
        log.info("stored images published", ["entries": .integer(prepared.count), "ms": .integer(milliseconds)])
        return milliseconds
    }

    /// In a few statements for each type, except for entries with derived rows of packs.
    private func write(
        _ replacements: [Replacement], _ transaction: AuditedTransaction
    ) async throws -> [LiveChange] {
        var written: [(earlier: ID<Revision>, later: WrittenRevision)] = []
        for (name, group) in Dictionary(grouping: replacements, by: { $0.draft.isBatchable ? $0.draft.type.name : "" })
        {
            guard let type = content.types[name] else {
                for replacement in group {
                    let revision = try await transaction.write(replacement.draft)
                    written.append((earlier: replacement.live.id, later: revision))
                }
                continue
            }
            let drafts = group.map { replacement in
                ImportedDraft(
                    entry: replacement.live.entry, revision: ID(UUIDv7.make()), base: replacement.draft.base,
                    content: replacement.draft.content, texts: replacement.draft.texts, isApproved: false)
            }
            try await transaction.write(drafts, type: type, source: nil, note: Self.note)
            for (replacement, draft) in zip(group, drafts) {
                let revision = WrittenRevision(entry: draft.entry, revision: draft.revision, number: draft.base + 1)
                written.append((earlier: replacement.live.id, later: revision))
            }
        }
        try await transaction.revisions.copyApprovals(
            written.map { (earlier: $0.earlier, later: $0.later.revision) })
        return written.map(\.later.change)
    }
}
