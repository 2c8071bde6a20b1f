// Tests that notifications reach their channel's listeners.
import Postgres
import Testing

@Suite("Notifications")
struct ListenerTests {
    @Test("Each channel gets its own payloads, in order, also with an unusual name or when added later")
    func channels() async throws {
        try await PostgresFixture.run { client, _ in
            let seen = Shared<[String]>([])
            let odd = "odd \"name\""
            client.listen("plain") { payload in seen.withLock { $0.append("plain " + payload) } }
            #expect(await PostgresFixture.waits { client.isListening })
            let isConnected = Shared(false)
            client.listen(odd) { payload in
                seen.withLock { $0.append("odd " + payload) }
            } onConnect: {
                isConnected.withLock { $0 = true }
            }
            #expect(await PostgresFixture.waits { isConnected.withLock { $0 } })
            try await client.transaction { tx in
                for number in 1...3 { try await tx.execute("select pg_notify('plain', \(String(number)))") }
                try await tx.execute("select pg_notify(\(odd), 'é')")
            }
            #expect(await PostgresFixture.waits { seen.withLock { $0.count } == 4 })
            #expect(seen.withLock { $0 } == ["plain 1", "plain 2", "plain 3", "odd é"])
        }
    }
}
