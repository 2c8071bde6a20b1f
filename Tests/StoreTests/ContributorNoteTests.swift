// Tests the list of notes on the submissions of a contributor and the entries of these.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Notes on what contributors sent", .databases)
struct ContributorNoteTests {
    @Test("The newest notes on all their submissions and the entries of these are listed, each once, and no others")
    func notes() async throws {
        let test = try await TestDatabase.make()
        let portal = try await test.clientActor()
        let curator = try await test.actor(.curator, name: "Carl")
        let first = try await test.submit("First", contributor: "Mo", by: portal)
        let second = try await test.submit("Second", contributor: "Mo", by: portal)
        let other = try await test.submit("Other", contributor: "Eve", by: portal)
        _ = try await test.services.decideSubmission(
            first, Decision.Draft(verdict: .approve, publishTiming: .approveOnly), version: nil, by: curator)
        let entry: ID<Entry> = try await test.client.one(
            "select id from curation.entry where submission_id = \(first)")("id")
        let contributor: ID<Contributor> = try await test.client.one(
            "select id from curation.contributor where name = 'Mo'")("id")
        let add = test.services.addNote
        try await add("On the first", on: .submission(first), by: curator)
        try await add("On the entry", on: .entry(entry), by: curator)
        try await add("On Eve's", on: .submission(other), by: curator)
        try await add("On Mo", on: .contributor(contributor), by: curator)
        try await add("On the second", on: .submission(second), by: curator)

        let reputations = test.database.reputations
        let all = try await reputations.notes(of: contributor, limit: 20)
        #expect(all.map(\.subject.text) == ["On the second", "On the entry", "On the first"])
        #expect(all.map(\.subject.title) == ["Second", "First", "First"])
        #expect(all.map(\.subject.subject) == [.submission(second), .entry(entry), .submission(first)])
        let newest = try await reputations.notes(of: contributor, limit: 2)
        #expect(newest.map(\.subject.text) == ["On the second", "On the entry"])
    }
}
