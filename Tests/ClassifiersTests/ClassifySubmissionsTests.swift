// Tests questions to an external classifier and its answers: right, wrong, slow and absent.
import Domain
import FoundationEssentials
import HTTP
import Operations
import Platform
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("External classifier", .databases)
struct ClassifySubmissionsTests {
    @Test("S41: a question is signed and has exactly the documented members: no email address, no name, no IP address")
    func question() async throws {
        try await ClassifierWorld.with { world in
            world.service.answer(#"{"score": 82, "reasons": ["pills"], "name": "acme", "version": "2026-11"}"#)
            let body =
                #"<p>See <a href="https://www.shop.example/a">this</a> and <a href="https://shop.example">that</a>.</p>"#
            let id = try await world.submit("Cheap <pills>", body, by: "Marta Example", email: "marta@example.org")
            try await world.screen()
            #expect(try await world.classify() == 1)
            let question = try #require(world.service.questions.first)
            #expect(world.service.questions.count == 1 && question.path == "/classify")
            #expect(question.isSigned(with: ClassifierWorld.secret))
            #expect(!question.isSigned(with: SigningSecret.make()))
            let seconds = try #require(Int(question.timestamp))
            #expect(abs(seconds - Int(Date().timeIntervalSince1970)) < 60)
            #expect(question.json["type"] == "submission.classify")
            #expect(
                Set(question.data.keys) == [
                    "submission", "type", "language", "title", "text", "is_cut", "hosts", "contributor",
                ])
            #expect(question.data["submission"]?.stringValue == id.description)
            #expect(question.data["type"] == "article" && question.data["title"] == "Cheap <pills>")
            #expect(question.data["text"] == "See this and that." && question.data["is_cut"] == .bool(false))
            #expect(question.data["hosts"] == .array(["shop.example"]))
            let contributor = try #require(question.data["contributor"]?.objectValue)
            #expect(Set(contributor.keys) == ["hash", "approved", "rejected", "spam"])
            #expect(contributor["hash"]?.stringValue?.count == 32 && contributor["approved"] == .int(0))
            let sent = String(decoding: question.body, as: UTF8.self)
            for secret in ["Marta", "marta@example.org", "127.0.0.1", world.portal.rowID.uuidString.lowercased()] {
                #expect(!sent.contains(secret))
            }
            let row = try #require(try await world.row(id))
            #expect(row.state == .scored && row.respondedAt != nil && row.problem == nil)
            #expect(
                row.response == ClassifierResponse(score: 82, reasons: ["pills"], name: "acme", version: "2026-11"))
        }
    }

    @Test("The answer changes neither our score nor the order by risk; questions have one hash for each contributor")
    func informs() async throws {
        try await ClassifierWorld.with { world in
            world.service.answer(#"{"score": 100, "reasons": []}"#)
            let first = try await world.ask("One")
            let second = try await world.submit("Two", by: "Ann")
            let third = try await world.submit("Three", by: "Mo")
            try await world.screen()
            _ = try await world.classify()
            for id in [first, second, third] {
                #expect(try await world.test.database.screenings.find(id)?.score == 10)
                #expect(try await world.row(id)?.response?.score == 100)
            }
            let page = try await world.test.database.queue.page(QueueFilter(), order: .score, cursor: nil, limit: 5)
            #expect(page.items.map(\.id) == [first, second, third])
            #expect(page.items.map { $0.classification?.response?.score } == [100, 100, 100])
            let hashes = Dictionary(
                uniqueKeysWithValues: world.service.questions.map {
                    ($0.data["title"]?.stringValue, $0.data["contributor"]?["hash"]?.stringValue)
                })
            #expect(hashes["One"] == hashes["Three"] && hashes["One"] != hashes["Two"])
        }
    }

    @Test(
        "Anything but a usable answer is a failure that is recorded with its reason; the next attempt may succeed",
        arguments: [
            (500, "oops", "status 500"), (204, "", "status 204"), (200, "score: 5", "not valid JSON"),
            (200, #"{"score": 5} x"#, "not valid JSON"), (200, #"{"score": 5, "score": 6}"#, "not valid JSON"),
            (200, "[5]", "not a JSON object"), (200, "{}", "whole number"), (200, #"{"score": 101}"#, "whole number"),
            (200, #"{"score": -1}"#, "whole number"), (200, #"{"score": 50.5}"#, "whole number"),
            (200, #"{"score": "50"}"#, "whole number"), (200, #"{"score": 5, "label": "spam"}"#, "other than"),
            (200, #"{"score": 5, "reasons": "bad"}"#, "list"), (200, #"{"score": 5, "reasons": [7]}"#, "A reason"),
            (200, #"{"score": 5, "reasons": [" "]}"#, "A reason"), (200, #"{"score": 5, "name": 7}"#, "name"),
        ])
    func wrong(_ status: Int, _ body: String, _ reason: String) async throws {
        try await ClassifierWorld.with { world in
            world.service.answer(body, status: status)
            let id = try await world.ask()
            let row = try #require(try await world.row(id))
            #expect(row.state == .waiting && row.response == nil)
            #expect(row.problem?.contains(reason) == true, "\(row.problem ?? "no problem")")
            let status = try await world.status()
            #expect(status.failures == 1 && status.failuresToday == 1 && status.callsToday == 1)
            #expect(status.lastError == row.problem && world.counts[.failed] == 1)
            world.service.answer(#"{"score": 5}"#)
            try await world.hurry()
            _ = try await world.classify()
            #expect(try await world.row(id)?.response?.score == 5)
            #expect(try await world.status().failures == 0)
            // The same question has the same id at each attempt.
            #expect(Set(world.service.questions.map(\.id)).count == 1 && world.service.questions.count == 2)
        }
    }

    @Test("A redirect is a failure and is not followed, even to the same server")
    func redirect() async throws {
        try await ClassifierWorld.with { world in
            let target = "http://127.0.0.1:\(world.port)/other"
            world.service.answer { question in
                question.path == "/classify"
                    ? .redirect(302, to: target) : ClassifierService.json(#"{"score": 1}"#)
            }
            let id = try await world.ask()
            #expect(try await world.row(id)?.problem?.contains("status 302") == true)
            #expect(world.service.questions.map(\.path) == ["/classify"])
        }
    }

    @Test("An answer of the largest size is read; one byte more is a failure")
    func size() async throws {
        try await ClassifierWorld.with { world in
            let largest = #"{"score": 5}"# + String(repeating: " ", count: (16 << 10) - 12)
            world.service.answer(largest + " ")
            let long = try await world.ask("Long")
            #expect(try await world.row(long)?.problem?.contains("longer than 16384") == true)
            world.service.answer(largest)
            let id = try await world.ask("Largest")
            #expect(try await world.row(id)?.response?.score == 5)
        }
    }

    @Test("A service that is slower than the timeout fails in about that time")
    func slow() async throws {
        try await ClassifierWorld.with(timeout: 300) { world in
            let gate = ClassifierService.Gate()
            world.service.answer { _ in
                await gate.wait()
                return ClassifierService.json(#"{"score": 1}"#)
            }
            let id = try await world.submit()
            try await world.screen()
            let clock = Stopwatch()
            _ = try await world.classify()
            #expect(clock.milliseconds >= 290 && clock.milliseconds < 5000)
            #expect(try await world.row(id)?.problem?.contains("did not respond") == true)
            gate.open()
        }
    }

    @Test("A service that refuses connections is asked three times about a submission, then there is no answer")
    func absent() async throws {
        // Nothing listens on port 1.
        try await ClassifierWorld.with(port: 1) { world in
            let id = try await world.ask()
            for attempt in 1...3 {
                let row = try #require(try await world.row(id))
                #expect(row.state == (attempt < 3 ? .waiting : .failed), "attempt \(attempt)")
                #expect(row.problem?.contains("did not respond") == true)
                try await world.hurry()
                #expect(try await world.classify() == (attempt < 3 ? 1 : 0))
            }
            #expect(try await world.status().callsToday == 3)
        }
    }

    @Test(
        "A retry waits: ten seconds after the first attempt, a minute after the second, and as long as the service asks"
    )
    func retries() async throws {
        try await ClassifierWorld.with { world in
            world.service.answer("no", status: 500)
            let id = try await world.ask()
            func wait() async throws -> Double {
                try await world.test.client.one(
                    """
                    select extract(epoch from next_at - clock_timestamp())::float8 as seconds
                    from curation.classification where submission_id = \(id)
                    """)("seconds")
            }
            #expect(try await (8.0...11.5).contains(wait()))
            #expect(try await world.classify() == 0)
            try await world.hurry()
            _ = try await world.classify()
            #expect(try await (55.0...66.5).contains(wait()))
        }
    }

    @Test("Markup in a reason stays text; control characters are removed")
    func markup() async throws {
        try await ClassifierWorld.with { world in
            world.service.answer(#"{"score": 5, "reasons": ["<script>alert(1)</script>\u0007 a\nb"]}"#)
            let id = try await world.ask()
            #expect(try await world.row(id)?.response?.reasons == ["<script>alert(1)</script> a b"])
        }
    }
}
