// What tests publish, edit and submit without pages or requests. Every fixture with a test database is a world.
import Domain
import Operations
import Postgres
import Store

package protocol World: Sendable {
    var test: TestDatabase { get }
}

extension TestDatabase: World {
    package var test: TestDatabase { self }
}

extension World {
    package var write: WriteEntry { test.services.writeEntry }

    // MARK: Entries

    package func create(
        _ type: String, _ fields: [String: JSONValue], _ publishTiming: PublishTiming = .now,
        by actor: Actor = TestDatabase.administrator
    ) async throws -> ID<Entry> {
        try await write.create(type: type, fields: fields, publishTiming: publishTiming, by: actor).entry
    }

    /// Creates an entry. Feeds, categories, articles and videos get the fields that they require.
    @discardableResult
    package func publish(
        _ type: String, _ title: String, _ fields: [String: JSONValue] = [:], publishTiming: PublishTiming = .now,
        by actor: Actor = TestDatabase.administrator
    ) async throws -> ID<Entry> {
        let required: [String: JSONValue] =
            switch type {
            case "feed": ["tier": "free"]
            case "category": ["group": .entry(SeedEntry.topicGroup)]
            case "article": ["categories": .entries([SeedEntry.unsorted]), "body": "<p>Slowly.</p>"]
            case "video": ["categories": .entries([SeedEntry.unsorted]), "hls_url": "https://films.example/a.m3u8"]
            default: [:]
            }
        let all = required.merging(fields) { $1 }.merging(["title": .string(title)]) { $1 }
        return try await create(type, all, publishTiming, by: actor)
    }

    /// A published article in the seeded category, if no others are named.
    @discardableResult
    package func article(
        _ title: String = "A walk", _ publishTiming: PublishTiming = .now,
        in categories: [ID<Entry>] = [SeedEntry.unsorted]
    ) async throws -> ID<Entry> {
        try await publish("article", title, ["categories": .entries(categories)], publishTiming: publishTiming)
    }

    /// A published category of topics.
    package func category(_ title: String, _ publishTiming: PublishTiming = .now) async throws -> ID<Entry> {
        try await publish("category", title, publishTiming: publishTiming)
    }

    /// Saves the newest version with other values of some fields; null removes one.
    package func edit(
        _ id: ID<Entry>, _ changes: [String: JSONValue], publishTiming: PublishTiming = .now,
        by actor: Actor = TestDatabase.administrator
    ) async throws {
        guard let newest = try await test.database.revisions.newest(of: id) else { throw Failure.missing("entry") }
        let fields = newest.content.fields.merging(changes) { $1 }.filter { $0.value != .null }
        _ = try await write.edit(id, fields: fields, base: newest.number, publishTiming: publishTiming, by: actor)
    }

    @discardableResult
    package func unpublish(_ id: ID<Entry>) async throws -> ChangeOutcome {
        try await write.unpublish(id, by: TestDatabase.administrator)
    }

    /// Schedules a release for a time in the past, as if that time had come.
    package func makeDue(_ release: Int64, at local: String = "2020-01-01T00:00") async throws {
        let event = AuditEvent("release.schedule", on: "release", String(release))
        try await test.database.transaction(by: TestDatabase.administrator, event) { transaction in
            guard let found = try await transaction.releases.find(number: release) else {
                throw Failure.missing("release")
            }
            _ = try await transaction.releases.schedule(found.id, at: try WallTime(local: local, zone: "UTC"))
        }
    }

    // MARK: Submissions

    /// Submits an article, or a video with a stream.
    @discardableResult
    package func submit(
        _ title: String = "Ten cafés", type: String = "article", category: String? = nil,
        contributor: String? = "user-1", email: String? = nil, fields: [String: JSONValue] = [:], by client: Actor
    ) async throws -> ID<Submission> {
        var all: [String: JSONValue] = ["title": .string(title), "body": "<p>Hello <b>world</b></p>"]
        if type == "video" { all["hls_url"] = "https://media.example/film-1.m3u8" }
        let draft = SubmissionDraft(
            type: type, contributor: contributor, contributorEmail: email, category: category,
            fields: all.merging(fields) { $1 })
        let receive = contributor == nil ? receiveAnonymous : test.services.receiveSubmission
        return try await receive(draft, by: client).id
    }

    /// Receives submissions without a contributor, too.
    package var receiveAnonymous: ReceiveSubmission {
        var services = test.services
        services.allowsAnonymous = true
        return services.receiveSubmission
    }

    package func state(_ id: ID<Submission>) async throws -> SubmissionState? {
        try await test.database.submissions.find(id)?.state
    }

    // MARK: Database

    /// Writes in one transaction what no action does, such as an earlier time: without triggers and foreign keys.
    package func writeUnchecked(_ statements: SQL...) async throws {
        try await test.client.transaction { transaction in
            try await transaction.execute("set local session_replication_role = replica")
            for statement in statements { try await transaction.execute(statement) }
        }
    }

    // MARK: Read tables

    /// The rows of a read table, by a column.
    package func rows(_ table: String, _ column: String) async throws -> [String] {
        try await test.client.query("select \(raw: column)::text as text from api_v1.\(raw: table) order by 1").map {
            try $0("text")
        }
    }

    package func rows(_ table: String) async throws -> Int {
        try await test.client.one("select count(*) as n from api_v1.\(raw: table)")("n")
    }

    /// Builds the read tables from the live set again; returns the number of the publication, if it changed something.
    @discardableResult
    package func repair() async throws -> Int64? {
        let (actor, event) = (TestDatabase.administrator, AuditEvent("publication.repair", on: "publication"))
        return try await test.database.transaction(by: actor, event) { transaction in
            try await transaction.publications.repair(note: "repair", by: actor)
        }
    }

    /// Whether the read tables are what the live set says.
    package func isVerified() async throws -> Bool { try await test.database.publications.verify().isEmpty }
}

extension JSONValue {
    package static func entry(_ id: ID<Entry>) -> JSONValue { .string(id.description) }
    package static func entries(_ ids: [ID<Entry>]) -> JSONValue { .array(ids.map(entry)) }
}
