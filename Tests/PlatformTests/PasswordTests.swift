// Tests passwords: Argon2id hashes, worker threads, and rejection of common passwords.
import Dispatch
import Synchronization
import Testing

@testable import Platform

@Suite(.serialized) struct PasswordTests {
    @Test("S9: a password is stored as an Argon2id PHC string of at least 19 MiB and 2 passes, and verified by it")
    func hash() async throws {
        let hash = try await Password.hash("correct horse")
        #expect(hash.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
        #expect(hash.utf8.count <= 127)
        #expect(try await Password.verify("correct horse", against: hash))
        #expect(try await !Password.verify("correct horsf", against: hash))
        #expect(try await !Password.verify("", against: hash))
        #expect(try await Password.hash("correct horse") != hash)
    }

    @Test(
        "S9: nothing is cut off or trimmed: byte 73, a NUL and spaces count",
        arguments: [
            (String(repeating: "a", count: 72), String(repeating: "a", count: 73)),
            ("abc\0def", "abc\0deg"), ("abc\0", "abc"), (" abc", "abc"), ("abc ", "abc"), ("Abc", "abc"),
        ])
    func whole(password: String, other: String) async throws {
        let hash = try await Password.hash(password)
        #expect(try await Password.verify(password, against: hash))
        #expect(try await !Password.verify(other, against: hash))
    }

    @Test(
        "What is no hash matches nothing", arguments: ["", "x", "$argon2id$", String(repeating: "x", count: 500), "\0"])
    func noHash(hash: String) async throws {
        #expect(try await !Password.verify("", against: hash))
        #expect(Password.needsRehash(hash))
    }

    @Test("S9: only a hash of another cost needs a rehash")
    func rehash() async throws {
        #expect(try await !Password.needsRehash(Password.hash("x")))
        let weaker = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$TjCpVTgOTNGFZPnMfsK9UmGrO3OSuN8NcZ2qZbVDo3c"
        #expect(Password.needsRehash(weaker))
    }

    @Test("S10: an unknown account costs as much as a known one: same algorithm, memory and passes")
    func nobody() async throws {
        #expect(!Password.needsRehash(Password.dummyHash))
        #expect(try await !Password.verifyAgainstNothing("anything"))
    }

    /// Counts concurrent work.
    private final class Gauge: Sendable {
        private let counts = Mutex((now: 0, most: 0))

        var most: Int { counts.withLock { $0.most } }

        func enter() {
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
        }

        func leave() {
            counts.withLock { $0.now -= 1 }
        }
    }

    @Test("The workers run and queue a limited number, and refuse the next at once")
    func bounded() async throws {
        let workers = WorkerPool(threads: 2, waiting: 3)
        let gate = DispatchSemaphore(value: 0)
        let gauge = Gauge()
        let (outcomes, results) = AsyncStream.makeStream(of: Bool.self)
        for _ in 0..<6 {
            Task.detached {
                do {
                    try await workers.run {
                        gauge.enter()
                        gate.wait()
                        gauge.leave()
                    }
                    results.yield(true)
                } catch {
                    results.yield(false)
                }
            }
        }
        var iterator = outcomes.makeAsyncIterator()
        // The gate is closed, so the only result is the refusal.
        #expect(await iterator.next() == false)
        for _ in 0..<5 { gate.signal() }
        for _ in 0..<5 { #expect(await iterator.next() == true) }
        #expect(gauge.most <= 2)
        #expect(try await workers.run { 7 } == 7)
    }

    @Test("S10: those who have failed lately leave places in the queue to others")
    func reserved() async throws {
        let workers = WorkerPool(threads: 1, waiting: 4)
        let gate = DispatchSemaphore(value: 0)
        let isBusy = DispatchSemaphore(value: 0)
        async let running: Void = workers.run {
            isBusy.signal()
            gate.wait()
        }
        await Task.detached { isBusy.wait() }.value
        // One runs; of four places two are left to others.
        let (outcomes, results) = AsyncStream.makeStream(of: String.self)
        func start(_ name: String, leaving places: Int) {
            Task.detached {
                do {
                    try await workers.run(leaving: places) {}
                    results.yield("\(name) ran")
                } catch {
                    results.yield("\(name) refused")
                }
            }
        }
        var iterator = outcomes.makeAsyncIterator()
        for _ in 0..<3 { start("stranger", leaving: 2) }
        #expect(await iterator.next() == "stranger refused")
        for _ in 0..<3 { start("owner", leaving: 0) }
        #expect(await iterator.next() == "owner refused")
        gate.signal()
        var ran: [String] = []
        for _ in 0..<4 { ran.append(await iterator.next() ?? "") }
        #expect(ran.sorted() == ["owner ran", "owner ran", "stranger ran", "stranger ran"])
        try await running
    }

    @Test(
        "S9: common passwords are rejected, also with the usual variations",
        arguments: [
            "password", "Password123!", "P@ssw0rd2024", "passwordpassword", "123456789012", "qwertyuiop123",
            "aaaaaaaaaaaa",
            "abcabcabcabc", "QWERTYUIOPASDFGHJKL", "1q2w3e4r5t6y", "abcdefghijkl", "zyxwvutsrqpo", "letmeinplease",
            "Administrator1", "!!welcome!!!!!", "iloveyouforever", "1qaz2wsx3edc", "000000000000", "0987654321", "",
        ])
    func common(password: String) {
        #expect(CommonPasswords.contains(password))
    }

    @Test(
        "Plain passwords are not considered common",
        arguments: [
            "glass heron winter map", "tuesday-gravel-lamp", "xk29vmqp41zt", "日本語のパスワード長い", "money tree lantern",
        ])
    func uncommon(password: String) {
        #expect(!CommonPasswords.contains(password))
    }

    @Test("S9: a password needs 12 characters; 11 are too few, 64 and more are allowed")
    func length() {
        #expect(PasswordRules.objections(to: "xk29vmqp41z").count == 1)
        #expect(PasswordRules.objections(to: "xk29vmqp41zt").isEmpty)
        let sixtyFour = String(repeating: "xk29vmqp41ztwqob", count: 4).dropLast() + "-"
        #expect(PasswordRules.objections(to: String(sixtyFour)).isEmpty)
        let most = "xk29vmqp41z" + String(repeating: "ab-c", count: 2000)
        #expect(PasswordRules.objections(to: String(most.prefix(4096))).isEmpty)
        #expect(PasswordRules.objections(to: String(most.prefix(4097))).count == 1)
    }

    @Test("A password with its owner's name or mailbox is rejected; names under four letters do not count")
    func owner() {
        func isRefused(_ password: String, _ email: String, _ name: String) -> Bool {
            !PasswordRules.objections(to: password, email: email, name: name).isEmpty
        }
        #expect(isRefused("my-JOHANNA-lamp", "", "Johanna Li"))
        #expect(isRefused("gravel-jdoe-lamp", "jdoe@example.org", ""))
        #expect(isRefused("gravel.schmidt.lamp", "a.schmidt@example.org", ""))
        #expect(!isRefused("gravel-li-lamp-li", "", "Johanna Li"))
        #expect(!isRefused("gravel-example-lamp", "jdoe@example.org", "Johanna"))
    }
}
