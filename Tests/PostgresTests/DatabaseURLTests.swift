// Tests that host names are resolved, and that each attempt starts with a different IP address.
import EventLoop
import Testing

@testable import Postgres

@Suite("Server hosts")
struct DatabaseURLTests {
    private func parameters(_ url: String, attempt: Int = 0) async -> [String: String]? {
        let loop = EventLoop(name: "addresses")
        loop.start()
        defer { loop.stop() }
        return await withCheckedContinuation { continuation in
            loop.execute {
                DatabaseURL(configuration: PostgresConfiguration(url: url))
                    .parameters(attempt: attempt, on: loop) { found in
                        let pairs = found?.map { ($0.name, $0.value) }
                        continuation.resume(returning: pairs.map { Dictionary($0) { $1 } })
                    }
            }
        }
    }

    @Test("Several hosts keep their rotation order, ports and IP addresses")
    func rotation() async {
        let url = "postgresql://me@10.0.0.1:1111,10.0.0.2:2222,10.0.0.3:3333/db?target_session_attrs=read-write"
        let first = await parameters(url)
        #expect(first?["host"] == "10.0.0.1,10.0.0.2,10.0.0.3")
        #expect(first?["port"] == "1111,2222,3333")
        #expect(first?["target_session_attrs"] == "read-write")
        #expect(first?["user"] == "me" && first?["dbname"] == "db")
        let fifth = await parameters(url, attempt: 4)
        #expect(fifth?["host"] == "10.0.0.2,10.0.0.3,10.0.0.1")
        #expect(fifth?["port"] == "2222,3333,1111")
    }

    @Test("S44: a malformed URL is a problem that repeats no part of it")
    func malformed() {
        func problem(_ url: String) -> String? {
            DatabaseURL(configuration: PostgresConfiguration(url: url)).problem?.message
        }
        #expect(problem("postgresql://me:pass%25word@db/x") == nil)
        for (url, expected) in [
            ("postgresql://me:pass%word@db/x", "is malformed (invalid percent-encoded token); write"),
            ("mysql://me:password@db/x", "is malformed; write"),
        ] {
            let message = problem(url) ?? ""
            #expect(message.contains(expected) && !message.contains("word@") && !message.contains("pass%"))
        }
    }

    @Test("A name is resolved and kept with its IP addresses; socket folders and IP addresses are unchanged")
    func names() async {
        let found = await parameters("host=localhost,/tmp,127.0.0.9 port=5")
        let hosts = found?["host"]?.split(separator: ",").map(String.init) ?? []
        let addresses =
            found?["hostaddr"]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        #expect(hosts.suffix(2) == ["/tmp", "127.0.0.9"])
        #expect(hosts.count == addresses.count && hosts.count >= 3)
        #expect(addresses.dropLast(2).allSatisfy { $0 == "127.0.0.1" || $0 == "::1" })
        #expect(addresses.suffix(2) == ["", ""])
        #expect(found?["port"]?.split(separator: ",").allSatisfy { $0 == "5" } == true)
    }

    @Test("An unknown name returns nothing, and the URL's settings override the defaults except the encoding")
    func settings() async {
        #expect(await parameters("host=no-such-host.invalid") == nil)
        let found = await parameters("host=/tmp keepalives_idle=77 client_encoding=LATIN1")
        #expect(found?["keepalives_idle"] == "77")
        #expect(found?["client_encoding"] == "UTF8")
        #expect(found?["fallback_application_name"] == "vitrine")
    }
}
