// Tests how often an external classifier is asked: budget, breaker, reused answers, and several daemons.
import Domain
import FoundationEssentials
import HTTP
import Operations
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Budget and breaker of the external classifier", .databases)
struct ClassifierBudgetTests {
    @Test("Calls up to the budget of the hour are made; one more is skipped and counted, until the next hour")
    func hour() async throws {
        try await ClassifierWorld.with(limits: { $0.perHour = 2 }) { world in
            let first = try await world.ask("One")
            let second = try await world.ask("Two")
            let third = try await world.ask("Three")
            #expect(world.service.titles == ["One", "Two"])
            #expect(try await world.row(first)?.state == .scored)
            #expect(try await world.row(second)?.state == .scored)
            let row = try #require(try await world.row(third))
            #expect(row.state == .skipped && row.problem == "The budget is used up.")
            let status = try await world.status()
            #expect(status.callsThisHour == 2 && status.skippedToday == 1 && status.waiting == 0)
            #expect(world.counts[.skipped] == 1)
            try await world.test.client.execute("update ops.classifier_hour set hour = hour - interval '1 hour'")
            let fourth = try await world.ask("Four")
            #expect(try await world.row(fourth)?.state == .scored)
        }
    }

    @Test("Calls up to the budget of the day are made, whatever their hour; failed ones count, too")
    func day() async throws {
        try await ClassifierWorld.with(limits: { $0.perDay = 3 }) { world in
            // As many hours of today as there were, at least the current one.
            try await world.test.client.execute(
                """
                insert into ops.classifier_hour (hour, calls) values (date_trunc('day', clock_timestamp(), 'UTC'), 1)
                on conflict (hour) do update set calls = 1
                """)
            try await world.test.client.execute(
                """
                insert into ops.classifier_hour (hour, calls)
                values (date_trunc('day', clock_timestamp(), 'UTC') - interval '1 hour', 100)
                """)
            world.service.answer("no", status: 500)
            let first = try await world.ask("One")
            #expect(try await world.row(first)?.state == .waiting)
            world.service.answer(#"{"score": 5}"#)
            #expect(try await world.row(world.ask("Two"))?.state == .scored)
            #expect(try await world.row(world.ask("Three"))?.state == .skipped)
            #expect(try await world.status().callsToday == 3)
            // The retry of the first is beyond the budget, too.
            try await world.hurry()
            _ = try await world.classify()
            #expect(try await world.row(first)?.state == .skipped)
        }
    }

    @Test("An answer about the same text is reused while it is younger than the cache time, and costs no call")
    func reused() async throws {
        try await ClassifierWorld.with { world in
            world.service.answer(#"{"score": 61, "reasons": ["why"], "name": "acme"}"#)
            let first = try await world.ask("Same")
            let second = try await world.ask("Same")
            _ = try await world.ask("Same", "<p>Another text.</p>")
            #expect(world.service.titles == ["Same", "Same"])
            let rows = (try #require(try await world.row(first)), try #require(try await world.row(second)))
            #expect(rows.1.response == rows.0.response && rows.1.respondedAt == rows.0.respondedAt)
            #expect(try await world.status().reusedToday == 1 && world.counts[.reused] == 1)

            // A reused answer doesn't become younger: exactly as old as the cache time is too old.
            try await world.test.client.execute(
                "update curation.classification set responded_at = clock_timestamp() - interval '3590 seconds'")
            _ = try await world.ask("Same")
            #expect(world.service.questions.count == 2)
            try await world.test.client.execute(
                "update curation.classification set responded_at = clock_timestamp() - interval '3600 seconds'")
            _ = try await world.ask("Same")
            #expect(world.service.questions.count == 3)
        }
    }

    @Test("Without a cache time each submission is asked about; equal ones at the same time are asked about once")
    func uncached() async throws {
        try await ClassifierWorld.with(limits: { $0.cacheSeconds = 0 }) { world in
            _ = try await world.ask("Same")
            _ = try await world.ask("Same")
            #expect(world.service.questions.count == 2)
        }
        try await ClassifierWorld.with { world in
            for _ in 1...8 { try await world.submit("Same") }
            try await world.screen()
            try await until("the text is classified") {
                _ = try await world.classify()
                try await world.hurry()
                return try await world.status().waiting == 0
            }
            #expect(world.service.questions.count == 1)
            #expect(try await world.status().reusedToday == 7)
        }
    }

    @Test("The fifth failure in a row opens the breaker, not the fourth; an answer in between starts the count again")
    func opens() async throws {
        try await ClassifierWorld.with { world in
            world.service.answer { question in
                ClassifierService.json("{}", question.data["title"] == "Good" ? 200 : 500)
            }
            for number in 1...4 { try await world.ask("Bad \(number)") }
            #expect(try await world.status().breaker == .closed)
            world.service.answer(#"{"score": 1}"#)
            try await world.ask("Good")
            #expect(try await world.status().failures == 0)
            world.service.answer("no", status: 500)
            for number in 5...8 { try await world.ask("Bad \(number)") }
            #expect(try await world.status().breaker == .closed)
            try await world.ask("Bad 9")
            let status = try await world.status()
            #expect(status.breaker == .open && status.failures == 5 && status.failingSince != nil)
            let pause = try #require(status.openUntil).timeIntervalSinceNow
            #expect(pause > 25 && pause <= 30)
            // Nothing is asked, and no attempt is used up.
            let calls = world.service.questions.count
            try await world.hurry()
            let id = try await world.ask("Waits")
            #expect(world.service.questions.count == calls)
            #expect(try await world.row(id)?.state == .waiting)
        }
    }

    @Test(
        "After the pause exactly one call is tried: its failure doubles the pause up to the longest, its answer closes the breaker"
    )
    func halfOpen() async throws {
        try await ClassifierWorld.with(limits: {
            $0.breakerFailures = 1
            $0.longestPauseSeconds = 100
            $0.maxAttempts = 100
        }) { world in
            world.service.answer("no", status: 500)
            try await world.ask("First")
            for (round, expected) in [60.0, 100, 100].enumerated() {
                for number in 1...6 { try await world.submit("More \(round) \(number)") }
                try await world.screen()
                let before = world.service.questions.count
                try await world.endPause()
                #expect(try await world.status().breaker == .halfOpen)
                _ = try await world.classify()
                #expect(world.service.questions.count == before + 1)
                let status = try await world.status()
                #expect(status.breaker == .open)
                let pause = try #require(status.openUntil).timeIntervalSinceNow
                #expect(pause > expected - 5 && pause <= expected)
            }
            world.service.answer(#"{"score": 1}"#)
            try await world.endPause()
            try await until("the text is classified") {
                _ = try await world.classify()
                try await world.hurry()
                return try await world.status().waiting == 0
            }
            let status = try await world.status()
            #expect(status.breaker == .closed && status.failures == 0 && status.lastError == nil)
            #expect(status.responsesToday == 19)
        }
    }

    @Test("While the one call of a half-open breaker is awaited, nothing else is asked")
    func probe() async throws {
        try await ClassifierWorld.with(limits: { $0.breakerFailures = 1 }) { world in
            world.service.answer("no", status: 500)
            try await world.ask("First")
            let gate = ClassifierService.Gate()
            world.service.answer { _ in
                await gate.wait()
                return ClassifierService.json(#"{"score": 1}"#)
            }
            for number in 1...5 { try await world.submit("More \(number)") }
            try await world.screen()
            try await world.endPause()
            let loop = world.loop()
            loop.start()
            await until("the service is asked") { gate.waiting == 1 }
            // As another daemon asks meanwhile.
            #expect(try await world.classify() == 0)
            #expect(gate.waiting == 1 && world.service.questions.count == 2)
            gate.open()
            try await until("five answers are counted") { try await world.status().responsesToday >= 5 }
            await loop.stop()
        }
    }

    @Test("A service that is overloaded is not asked for as long as it says", arguments: [429, 503])
    func overloaded(_ status: Int) async throws {
        try await ClassifierWorld.with { world in
            world.service.answer { _ in ClassifierService.json("{}", status).with("Retry-After", "120") }
            try await world.ask()
            let status = try await world.status()
            #expect(status.breaker == .open && status.failures == 1)
            let pause = try #require(status.openUntil).timeIntervalSinceNow
            #expect(pause > 115 && pause <= 120)
        }
    }

    @Test("Several daemons ask about each submission once, and share the budget")
    func daemons() async throws {
        try await ClassifierWorld.with(limits: { $0.perHour = 25 }) { world in
            for number in 1...40 { try await world.submit("Number \(number)") }
            try await world.screen()
            let loops = (1...3).map { _ in world.loop() }
            for loop in loops { loop.start() }
            try await until("nothing waits") { try await world.status().waiting == 0 }
            for loop in loops { await loop.stop() }
            #expect(world.service.titles.count == 25 && Set(world.service.titles).count == 25)
            let status = try await world.status()
            #expect(status.callsThisHour == 25 && status.responsesToday == 25 && status.skippedToday == 15)
            #expect(status.medianMilliseconds != nil)
        }
    }
}
