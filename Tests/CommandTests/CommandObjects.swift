// The objects that command lines name as `{name}`.
import Domain
import FoundationEssentials
import Lists
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

extension CommandWorld {
    static let values: [String: Value] = simple.merging(queue) { $1 }.merging(content) { $1 }.merging(files) { $1 }
        .merging(access) { $1 }.merging(background) { $1 }.merging(present) { $1 }

    private static let simple: [String: Value] = [
        "unknown": { _ in "\(UUIDv7.make())" },
        "slug": { $0.unique() },
        "title": { "Title \($0.unique())" },
        "text": { _ in "Some words" },
        "email": { "\($0.unique())@example.org" },
        "path": { "\($0.folder)/\($0.unique())" },
        "stage": { _ in "Editors=2 editor" },
    ]

    /// What a list contains; no word of the line.
    private static let present: [String: Value] = [
        "waiting": { try await $0.after("entry approve {entry}", "") },
        "difference": { world in
            let id = try await world.made("entry create {article} --type article --publish", "id")
            try await world.test.client.execute("delete from api_v1.item where id::text = \(id)")
            return ""
        },
        "fetched": { world in
            _ = try await world.filled("{failedImage}")
            return ""
        },
        "someBlocked": { world in
            try await world.after("contributor block \(try await world.contributor()) --reason Spam", "")
        },
        "someReported": { world in
            _ = try await world.filled("{reported}")
            return ""
        },
        "source": { world in
            try await world.test.client.execute("insert into ops.catalog_source (name) values (\(world.unique()))")
            return ""
        },
    ]

    // MARK: Queue

    private static let queue: [String: Value] = [
        "submission": { try await $0.submission().description },
        "rejected": { world in
            let id = try await world.submission().description
            return try await world.after("queue reject \(id) --reason spam", id)
        },
        "contributor": { try await $0.contributor() },
        "blocked": { world in
            let id = try await world.contributor()
            return try await world.after("contributor block \(id) --reason Spam", id)
        },
        "trusted": { world in
            let id = try await world.contributor()
            return try await world.after("contributor trust \(id) --reason Colleague", id)
        },
        "decided": { world in
            let (id, submission) = try await world.sender()
            return try await world.after("queue reject \(submission) --reason spam", id)
        },
        "reported": { world in
            let entry = try await world.made("entry create {article} --type article --publish", "id")
            guard let id = ID<Entry>(entry) else { return "" }
            let client = try await world.test.clientActor([.report])
            let report = try await world.test.services.receiveReport(
                ReportDraft(.id(id), .spam, text: "Buy now", reporter: world.unique()), by: client)
            return try await world.test.database.reports.find(report.id)?.reportCase.description ?? ""
        },
        "snoozed": { world in
            let id = try await world.submission().description
            return try await world.after("queue snooze \(id) --hours 1", id)
        },
        "similar": { world in
            let title = "Harbor mornings with \(world.unique())"
            let id = try await world.submission(title)
            _ = try await world.submission(title)
            let clock = Actor(kind: .system, name: "schedule")
            let (database, rules) = (world.test.database, world.test.rules)
            while try await database.work(as: clock, { try await ScreenSubmissions.screen(rules, $0) }) {}
            return id.description
        },
        "staged": { world in
            let id = try await world.submission(type: "video")
            return try await world.after("stage update video {stage}", id.description)
        },
        "approvedOnce": { world in
            let id = try await values["staged"]?(world) ?? ""
            return try await world.after("approval create \(id)", id)
        },
        "version": { try await $0.made("screening create {rules} --note Better", "version") },
    ]

    private func contributor() async throws -> String { try await sender().contributor }

    private func sender() async throws -> (contributor: String, submission: String) {
        let name = unique()
        let id = try await submission(by: name)
        let contributor = try await test.database.reputations.find(of: id)
        return (try #require(contributor).id.description, id.description)
    }

    private func submission(
        _ title: String? = nil, type: String = "article", by contributor: String = "reader-1"
    ) async throws -> ID<Submission> {
        let body = "<p>The ferry leaves at nine, says who has the keys of \(unique()).</p>"
        var fields: [String: JSONValue] = ["title": .string(title ?? "Ferry \(unique())"), "body": .string(body)]
        if type == "video" { fields["hls_url"] = "https://films.example/a.m3u8" }
        return try await test.services.receiveSubmission(
            SubmissionDraft(type: type, contributor: contributor, fields: fields), by: try await test.clientActor()
        ).id
    }

    // MARK: Content

    private static let content: [String: Value] = [
        "feed": { world in
            let slug = world.unique()
            return try await world.after("feed create \(slug) --title Feed", slug)
        },
        "entry": { try await $0.made("entry create {article} --type article", "id") },
        "approved": { try await $0.made("entry create {article} --type article --approve", "id") },
        "published": { try await $0.made("entry create {article} --type article --publish", "id") },
        "earlier": { world in
            let number = try await world.made("entry create {article} --type article --publish", "publication")
            return try await world.after("entry create {article} --type article --publish", number)
        },
        "category": { try await $0.made("category create {title} --group 1", "category") },
        "merged": { world in
            let id = try await world.made("category create {title} --group 1", "category")
            return try await world.after("category merge \(id) --into {category}", id)
        },
        "release": { try await $0.made("release create Spring", "number") },
        "filled": { world in
            let number = try await world.made("release create Summer", "number")
            return try await world.after("release add \(number) {approved}", number)
        },
        "holding": { world in
            let (number, entry) = (
                try await world.made("release create Autumn", "number"), try await values["approved"]?(world) ?? ""
            )
            return try await world.after("release add \(number) \(entry)", "\(number)\n\(entry)")
        },
        "preview": { try await $0.made("preview create Look --at 2099-01-01T00:00:00Z", "id") },
        "image": { try await $0.made("media create {png}", "id") },
        "video": { try await $0.made("entry create {film} --type video", "id") },
        "item": { try await $0.item().id },
        "itemTitle": { try await $0.item().title },
    ]

    private func item() async throws -> (id: String, title: String) {
        let kinds = try CatalogKinds(folder: TestDatabase.packageRoot + "/Config/catalogs")
        let title = "Film-\(unique())"
        guard let kind = kinds["movie"],
            let record = CatalogRecord(kind, externalID: title, title: title, details: [:])
        else { throw Failure.missing("catalog") }
        let event = AuditEvent("catalog.update", on: "catalog", kind.name)
        let ids = try await test.database.transaction(by: TestDatabase.administrator, event) {
            try await $0.catalogs.record(
                [record], areComplete: true, kind: kind.name, source: "demo", by: TestDatabase.administrator)
        }
        return (ids.map(\.description).joined(), title)
    }

    // MARK: Files

    private static let files: [String: Value] = [
        "article": { world in
            let category = SeedEntry.unsorted
            return world.file(
                #"{"title":"Article \#(world.unique())","body":"<p>Text</p>","categories":["\#(category)"]}"#, ".json")
        },
        "film": { world in
            let url = "https://films.example/\(world.unique()).m3u8"
            return world.file(#"{"title":"Film","hls_url":"\#(url)","categories":["\#(SeedEntry.unsorted)"]}"#, ".json")
        },
        "playlist": { $0.file("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n", ".m3u8") },
        "malformed": { $0.file("{", ".json") },
        "png": { world in
            // Bytes after the image make it a new one.
            world.file(SmallImage.bytes + Array(world.unique().utf8), ".png")
        },
        "rules": { world in
            let run = try await world.run(["screening", "show", "--json"])
            return world.file(run.output, ".json")
        },
        "rss": { world in
            let number = world.unique()
            return world.file(
                """
                <rss version="2.0"><channel><title>Notes</title><item><guid>\(number)</guid><title>Ferry \(number)</title>
                <description>Nine weeks.</description></item></channel></rss>
                """, ".xml")
        },
        "gpx": { world in
            let points = (0..<12).map { "<trkpt lat=\"51.5\($0 + 10)\" lon=\"-0.12\"><ele>\($0)</ele></trkpt>" }
            return world.file(
                """
                <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>\(world.unique())</name>
                <trkseg>\(points.joined())</trkseg></trk></gpx>
                """, ".gpx")
        },
        "air": { _ in try sample("routes/readings.csv") },
        "obstructions": { _ in try sample("routes/morning.csv") },
        "postcodes": { _ in try sample("routes/codepoint.csv") },
        "cities": { _ in try sample("cities15000.tsv") },
        "places": { _ in try sample("restaurants.geojson") },
        "bundle": { world in
            let path = "\(world.folder)/\(world.unique()).ndjson"
            let other = try await CommandWorld.make()
            return try await other.after("export --file \(path)", path)
        },
        "exported": { world in
            let path = "\(world.folder)/\(world.unique()).ndjson"
            let other = try await CommandWorld.make()
            return try await other.after("release export {filled} --file \(path)", path)
        },
        "password": { $0.file("correct horse battery staple\n", ".txt") },
    ]

    private static func sample(_ name: String) throws -> String {
        TestDatabase.packageRoot + "/Tests/journeys/samples/" + name
    }

    // MARK: Access

    private static let access: [String: Value] = [
        "account": { world in
            let email = "\(world.unique())@example.org"
            return try await world.after("account create \(email) --name Ann --role editor", email)
        },
        "role": { world in
            let name = world.unique()
            return try await world.after("role create \(name) --label Moderator --permissions decide", name)
        },
        "disabled": { world in
            let email = "\(world.unique())@example.org"
            _ = try await world.after("account create \(email) --name Ann --role editor", email)
            return try await world.after("account disable \(email)", email)
        },
        "guarded": { world in
            let email = "\(world.unique())@example.org"
            let text = try await world.made("account create \(email) --name Ann --role editor", "id")
            guard let id = ID<Account>(text) else { return "" }
            let event = AuditEvent("second_factor.create", on: "account", text)
            _ = try await world.test.database.transaction(by: TestDatabase.administrator, event) { transaction in
                try await transaction.secondFactors.enroll(id, sealedSecret: [UInt8](repeating: 7, count: 60))
            }
            return email
        },
        "form": { world in
            let name = world.unique()
            return try await world.after("submission-form create \(name) --type article --title Stories", name)
        },
        "client": { try await $0.made("client create portal --scopes submit", "id") },
        "rotated": { world in
            let id = try await world.made("client create portal --scopes submit", "id")
            return try await world.after("client rotate \(id) --overlap 4", id)
        },
        "webhook": { try await $0.made("webhook create https://app.example/{slug}", "id") },
        "paused": { world in
            let id = try await world.made("webhook create https://app.example/{slug}", "id")
            return try await world.after("webhook pause \(id)", id)
        },
        "tested": { world in
            let id = try await world.made("webhook create https://app.example/{slug}", "id")
            return try await world.after("webhook test \(id)", id)
        },
        "store": { world in
            let files = MediaFolder(path: world.folder + "/data/media")
            try await AdoptMediaStore(database: world.test.database, files: files).atStart(
                by: TestDatabase.administrator)
            return try await world.made("media adopt", "id")
        },
        "fingerprint": { world in
            _ = try await world.made("webhook create https://app.example/{slug}", "id")
            return try await world.made("key adopt", "fingerprint")
        },
    ]

    // MARK: Background work

    private static let background: [String: Value] = [
        "failedMail": { world in
            try await world.insert(
                """
                insert into ops.outbox_message (key, recipient, locale, subject, body, dedupe, state, last_error, finished_at)
                values ('mail.test', 'ann@example.org', 'en', 'Hello', 'Hello.', \(world.unique()), 'failed', 'Refused.', now())
                returning id
                """)
        },
        "failedDelivery": { world in
            let webhook: ID<Webhook> = try #require(ID(try await world.filled("{webhook}")))
            return try await world.insert(
                """
                insert into ops.outbox_message (webhook_id, type, body, state, last_error, finished_at)
                values (\(webhook), 'webhook.test', '{}', 'failed', 'Status 500', now()) returning id
                """)
        },
        "sentOutcome": { world in
            try await world.insert(
                """
                insert into ops.outcome (decision_id, submission_id, decided_at, state, finished_at)
                values (curation.uuid_v7(), curation.uuid_v7(), now(), 'notified', now())
                returning decision_id as id
                """)
        },
        "failedTask": { world in
            try await world.insert(
                """
                insert into ops.task (kind, state, attempts, last_error, finished_at)
                values ('seal_audit', 'failed', 5, 'Unavailable.', now()) returning id
                """)
        },
        "failedImage": { world in
            try await world.insert(
                """
                insert into ops.external_image (url, state, attempts, last_error)
                values (\("https://images.example/\(world.unique())"), 'failed', 3, 'Not found.') returning id
                """)
        },
    ]
}
