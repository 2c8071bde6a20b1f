// Imports the entries of a source feed (RSS, Atom, RDF, JSON Feed) as submissions.
import Domain
import Markup
import Platform
import Store

/// The result of importing a feed document.
package struct FeedImport: Sendable, Encodable {
    package struct Refused: Sendable, Encodable {
        package let entry: String
        package let reason: String
    }

    /// The number of new submissions.
    package let submissions: Int
    /// The number of entries imported before.
    package let known: Int
    /// Those of them that have changed since. They are not imported again.
    package let changed: [String]
    package let refused: [Refused]
    package let title: String
    /// Whether the document was malformed and was repaired.
    package let recovered: Bool
}

extension FeedImport {
    /// The result for a document that was refused as a whole.
    package init(refusing document: String, reason: String) {
        self.init(
            submissions: 0, known: 0, changed: [], refused: [Refused(entry: document, reason: reason)], title: "",
            recovered: false)
    }
}

package struct ImportFeed: Sendable {
    let receive: ReceiveSubmission

    /// Stores every valid entry of the document. `origin`, its URL or file name, distinguishes entries of different
    /// feeds, so importing the same feed again adds only new ones. An entry is known by its ID; where entries share one, also
    /// by title, URL and date, never by its position. `images`: values of image fields by the ID of the entry, instead of
    /// what the document names.
    package func callAsFunction(
        _ bytes: [UInt8], origin: String, contentType: String? = nil, url: String? = nil,
        images: [String: JSONValue] = [:], by actor: Actor
    ) async throws -> FeedImport {
        let document: FeedDocument
        do {
            document = try FeedReader.read(bytes, contentType: contentType, url: url)
        } catch {
            throw Failure.refused(code: "\(error.code)", message: error.message)
        }
        let outcomes = try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            var outcomes = [Outcome?](repeating: nil, count: document.entries.count)
            // 32 at once, so that they share commits; not all, so that a long feed does not use too much memory.
            var next = 0
            func addOne() {
                guard next < document.entries.count else { return }
                let (index, entry) = (next, document.entries[next])
                let image = images[entry.id]
                group.addTask { (index, try await store(entry, of: document, origin: origin, image, by: actor)) }
                next += 1
            }
            for _ in 0..<32 { addOne() }
            while let (index, outcome) = try await group.next() {
                outcomes[index] = outcome
                addOne()
            }
            return outcomes.compactMap { $0 }
        }
        return FeedImport(
            submissions: outcomes.count { if case .new = $0 { true } else { false } },
            known: outcomes.count {
                switch $0 {
                case .known, .changed: true
                case .new, .refused: false
                }
            },
            changed: outcomes.compactMap { if case .changed(let entry) = $0 { entry } else { nil } },
            refused: outcomes.compactMap { if case .refused(let entry) = $0 { entry } else { nil } },
            title: document.title, recovered: document.recovered)
    }

    private enum Outcome: Sendable {
        case new, known
        case changed(String)
        case refused(FeedImport.Refused)
    }

    private func store(
        _ entry: FeedEntry, of document: FeedDocument, origin: String, _ image: JSONValue?, by actor: Actor
    ) async throws -> Outcome {
        if let problem = entry.problem { return .refused(FeedImport.Refused(entry: entry.id, reason: problem)) }
        let own = FeedEntryFields.fields(of: entry)
        let fields = image.map { own.merging(["image": $0]) { $1 } } ?? own
        func draft(_ id: String) -> SubmissionDraft {
            SubmissionDraft(
                type: "article", contributor: Self.contributor(entry, document),
                category: entry.categories.first.flatMap(FeedEntryFields.name),
                fields: fields,
                idempotencyKey: "feed-" + SHA256.hex("\(origin)\u{1F}\(id)"), source: "import",
                sourceName: FeedEntryFields.name(document.title), sourceURL: entry.url, base: entry.base)
        }
        do {
            for id in entry.isRepeated ? [entry.contentID] : [entry.ownID, entry.contentID] {
                switch try await receive.receive(draft(id), by: actor) {
                case .received(let receipt): return receipt.isNew ? .new : .known
                case .keyReused(let holder):
                    if holder.map({ Self.isVersion(entry, of: $0) }) ?? true { return .changed(entry.id) }
                }
            }
            return .changed(entry.id)
        } catch let failure as Failure {
            switch failure {
            case .invalid(let errors):
                let reason = errors.items.map { "\($0.pointer): \($0.message)" }.joined(separator: " ")
                return .refused(FeedImport.Refused(entry: entry.id, reason: reason))
            case .refused(code: BlockedContributor.code, let message):
                return .refused(FeedImport.Refused(entry: entry.id, reason: message))
            default: throw failure
            }
        }
    }

    /// Whether the entry is another version of what was imported under its ID. Where it has a URL and no other entry has the
    /// ID, its title or date may have changed.
    private static func isVersion(_ entry: FeedEntry, of holder: KeyHolder) -> Bool {
        guard holder.hasSameURL else { return false }
        if holder.hasSameTitle && holder.hasSameDate { return true }
        guard entry.url != nil, entry.id == entry.ownID else { return false }
        let hasDate = entry.published != nil || entry.updated != nil
        return holder.hasSameTitle || hasDate && holder.hasSameDate
    }

    private static func contributor(_ entry: FeedEntry, _ document: FeedDocument) -> String? {
        [entry.author, document.title, document.link].lazy.compactMap { $0.flatMap(FeedEntryFields.name) }.first
    }
}
