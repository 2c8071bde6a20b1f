// Reads a decision from a JSON request, and finds the feeds and categories it names.
import Domain
import HTTP
import Store

/// The accepted members.
struct DecisionReader {
    private static let members = [
        "verdict", "reason", "message", "field_notes", "duplicate_of", "feeds", "categories", "publish", "zone",
        "edits", "version",
    ]

    private var body: JSONBody

    init(_ request: Request) throws {
        body = try JSONBody(request)
        body.allow(Self.members)
    }

    /// The draft and the version that was seen; throws all errors at once.
    mutating func read(_ database: Database) async throws -> (draft: Decision.Draft, version: Int?) {
        let verdict = choice("verdict", Verdict.allCases, isRequired: true)
        let reason = choice("reason", RejectReason.allCases, isRequired: false)
        let message = body.text("message")
        let notes = fieldNotes()
        let original = try await original(database)
        let edits = body.object("edits")
        let version = body.integer("version")
        let publishTiming = publishTiming(for: verdict)
        let feedNames = Array(body.texts("feeds").prefix(50))
        let categoryNames = Array(body.texts("categories").prefix(50))
        let types = try await types(of: feedNames + categoryNames, database)
        let feeds = try await entries(feedNames, "feeds", type: "feed", types, database)
        let categories = try await entries(categoryNames, "categories", type: "category", types, database)
        try body.errors.throwIfAny()
        guard let verdict else { throw Failure.invalid(FieldErrors("/verdict", "required", "This field is required.")) }
        let draft = Decision.Draft(
            verdict: verdict, reason: reason, message: message, fieldNotes: notes, original: original, edits: edits,
            feeds: feeds,
            categories: categories, publishTiming: publishTiming)
        return (draft, version)
    }

    private mutating func fieldNotes() -> [String: String] {
        var notes: [String: String] = [:]
        for (name, value) in body.object("field_notes") ?? [:] {
            if let note = value.stringValue {
                notes[name] = note
            } else {
                body.add("/field_notes" + FieldErrors.step(name), "type", "This must be a string.")
            }
        }
        return notes
    }

    private mutating func choice<Choice: RawRepresentable<String>>(
        _ name: String, _ choices: [Choice], isRequired: Bool
    ) -> Choice? {
        guard let text = body.text(name, isRequired: isRequired) else { return nil }
        let choice = Choice(rawValue: text)
        if choice == nil {
            let known = choices.map(\.rawValue).joined(separator: ", ")
            body.add(FieldErrors.step(name), "choice", "Choose one of: \(known).")
        }
        return choice
    }

    /// An approved submission is published now by default; other verdicts can't publish.
    private mutating func publishTiming(for verdict: Verdict?) -> PublishTiming {
        let publish = body.text("publish")
        let zone = body.text("zone")
        guard let publish else {
            if zone != nil { body.add("/zone", "unknown_field", "Set a time in publish to use a zone.") }
            return verdict == .approve ? .now : .approveOnly
        }
        guard verdict == nil || verdict == .approve else {
            body.add("/publish", "unknown_field", "Only approve can publish. Remove this field.")
            return .approveOnly
        }
        do throws(Failure) {
            return try PublishTiming(parsing: publish, zone: zone, pointer: "/publish")
        } catch {
            guard case .invalid(let errors) = error else { return .approveOnly }
            for item in errors.items {
                let pointer = item.pointer == "/publish/zone" ? "/zone" : "/publish"
                body.add(pointer, item.code, item.message)
            }
            return .approveOnly
        }
    }

    /// The submission or the entry with the id in `duplicate_of`.
    private mutating func original(_ database: Database) async throws -> Original? {
        guard let text = body.text("duplicate_of") else { return nil }
        if let id = ID<Entry>(text), let found = try await database.originals.find(id.uuid) { return found.original }
        body.add("/duplicate_of", "reference", "No submission or entry has this id.")
        return nil
    }

    /// The content types of the entries that are named by id, in one query.
    private func types(of names: [String], _ database: Database) async throws -> [ID<Entry>: String] {
        let ids = names.compactMap { ID<Entry>($0) }
        if ids.isEmpty { return [:] }
        return Dictionary(try await database.entries.types(of: ids)) { first, _ in first }
    }

    /// The ids of entries named by id or slug.
    private mutating func entries(
        _ names: [String], _ member: String, type: String, _ types: [ID<Entry>: String], _ database: Database
    ) async throws -> [ID<Entry>] {
        var ids: [ID<Entry>] = []
        for (index, text) in names.enumerated() {
            var found = ID<Entry>(text)
            if let id = found {
                if types[id] != type { found = nil }
            } else {
                found = try await database.entries.find(type: type, slug: text)
            }
            if let found {
                ids.append(found)
            } else {
                body.add("/\(member)/\(index)", "reference", "No \(type) has this id or slug.")
            }
        }
        return ids
    }
}
