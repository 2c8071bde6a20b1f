// Tests that callers take turns in lanes and worker pools.
import Platform
import Synchronization
import TestBasics
import Testing

@Suite("Fair shares")
struct FairLaneTests {
    private static let busy = Caller.network("192.0.2.1")
    private static let other = Caller.network("192.0.2.2")

    /// A lane whose only place is taken until `open`.
    private final class Held: Sendable {
        let lane: FairLane
        private let order = Mutex<[String]>([])
        private let turn: HeldTurn

        init(waiting: Int, longestWait: Duration = .seconds(60)) async throws {
            lane = FairLane(width: 1, waiting: waiting, longestWait: longestWait)
            turn = await HeldTurn(in: lane)
        }

        /// Starts work and waits until it is in the queue, unless it is refused.
        func start(_ name: String, _ caller: Caller) async -> Task<Bool, any Error> {
            let (before, seen) = (lane.waitingCount, done.count)
            let isDone = Flag()
            let task = Task {
                defer { isDone.set() }
                return try await Caller.$current.withValue(caller) {
                    do {
                        try await lane.run { order.withLock { $0.append(name) } }
                        return true
                    } catch let error as WorkersBusy {
                        order.withLock { $0.append("\(name) refused\(error.isOwnDoing ? ", own doing" : "")") }
                        return false
                    }
                }
            }
            while lane.waitingCount == before, done.count == seen, !isDone.isSet { await Task.yield() }
            return task
        }

        func open() async throws -> [String] {
            try await turn.end()
            return order.withLock { $0 }
        }

        var done: [String] { order.withLock { $0 } }
    }

    @Test("One caller gets everything while nobody else waits, in the order of its requests")
    func alone() async throws {
        let held = try await Held(waiting: 10)
        var tasks: [Task<Bool, any Error>] = []
        for number in 1...5 { tasks.append(await held.start("\(number)", Self.busy)) }
        _ = try await held.open()
        for task in tasks { #expect(try await task.value) }
        #expect(held.done == ["1", "2", "3", "4", "5"])
    }

    @Test("S47: a caller with much work delays each other by one piece of it")
    func turns() async throws {
        let held = try await Held(waiting: 10)
        var tasks: [Task<Bool, any Error>] = []
        for number in 1...4 { tasks.append(await held.start("busy \(number)", Self.busy)) }
        tasks.append(await held.start("other", Self.other))
        _ = try await held.open()
        for task in tasks { #expect(try await task.value) }
        #expect(held.done == ["busy 1", "other", "busy 2", "busy 3", "busy 4"])
    }

    @Test("S47: a full queue drops the newest work of the caller that waits most, not the work of others")
    func full() async throws {
        let held = try await Held(waiting: 3)
        var tasks: [Task<Bool, any Error>] = []
        for number in 1...4 { tasks.append(await held.start("busy \(number)", Self.busy)) }
        tasks.append(await held.start("other", Self.other))
        _ = try await held.open()
        for task in tasks { _ = try await task.value }
        #expect(
            held.done == ["busy 4 refused, own doing", "busy 3 refused, own doing", "busy 1", "other", "busy 2"])
    }

    @Test("What has waited too long is refused when its turn comes")
    func late() async throws {
        let held = try await Held(waiting: 3, longestWait: .zero)
        let task = await held.start("late", Self.busy)
        _ = try await held.open()
        #expect(try await task.value == false)
        #expect(held.done == ["late refused"])
        #expect(try await held.lane.run { 7 } == 7, "the place is free again")
    }

    @Test("S47: many callers of one wider network have no more turns than ten, and each can still leave")
    func crowd() async throws {
        let held = try await Held(waiting: 100)
        var tasks: [Task<Bool, any Error>] = []
        for number in 1...40 {
            tasks.append(
                await held.start("crowd \(number)", .network("192.0.2.\(number)", within: "192.0.2.0/24")))
        }
        tasks.append(await held.start("other", .network("198.51.100.1", within: "198.51.100.0/24")))
        // Callers that wait in the lines of others.
        for number in 11...20 { tasks[number - 1].cancel() }
        await until("their work is dropped") { held.lane.waitingCount == 31 }
        _ = try await held.open()
        for task in tasks { _ = try? await task.value }
        #expect(held.done.count == 31)
        #expect(held.done.firstIndex(of: "other") == 10, "\(held.done)")
        #expect(!held.done.contains("crowd 15"))
    }

    @Test("S47: work that waits for a caller that left is dropped at once, and its place in the order of turns with it")
    func left() async throws {
        let held = try await Held(waiting: 3)
        var tasks: [Task<Bool, any Error>] = []
        for number in 1...3 { tasks.append(await held.start("busy \(number)", Self.busy)) }
        tasks[0].cancel()
        tasks[1].cancel()
        await until("one waits") { held.lane.waitingCount == 1 }
        // There is room again.
        tasks.append(await held.start("other", Self.other))
        #expect(held.lane.waitingCount == 2)
        tasks[2].cancel()
        await until("one waits") { held.lane.waitingCount == 1 }
        _ = try await held.open()
        #expect(try await tasks[3].value)
        for task in tasks.prefix(3) { await #expect(throws: CancellationError.self) { try await task.value } }
        #expect(held.done == ["other"])
        #expect(try await held.lane.run { 7 } == 7)
    }

    @Test("S47: a caller that left before its work had a place does not run it")
    func leftBefore() async throws {
        let lane = FairLane(width: 1, waiting: 1, longestWait: .seconds(60))
        let pool = WorkerPool(threads: 1, waiting: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await lane.run { Issue.record("it ran") } }
            await #expect(throws: CancellationError.self) { try await pool.run { Issue.record("it ran") } }
        }
        await task.value
        #expect(lane.waitingCount == 0 && pool.waitingCount == 0)
        #expect(try await lane.run { 7 } == 7)
        #expect(try await pool.run { 7 } == 7)
    }

    /// What workers did, in order.
    private final class Order: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock { $0 } }
        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    @Test("S10: workers refuse the newest work of the caller that waits most, and callers take turns")
    func workers() async throws {
        let pool = WorkerPool(threads: 1, waiting: 3)
        let order = Order()
        let held = await HeldTurn(in: pool)
        var tasks: [Task<Void, any Error>] = []
        for (name, caller, waiting) in [
            ("busy 1", Self.busy, 1), ("busy 2", Self.busy, 2), ("busy 3", Self.busy, 3), ("other", Self.other, 3),
        ] {
            await until("the caller waits") { pool.waitingCount == waiting - (name == "other" ? 0 : 1) }
            tasks.append(
                Task {
                    try await Caller.$current.withValue(caller) {
                        do {
                            try await pool.run { order.add(name) }
                        } catch is WorkersBusy {
                            order.add("\(name) refused")
                        }
                    }
                })
            if name == "other" { await until("the first caller has its turn") { !order.all.isEmpty } }
        }
        try await held.end()
        for task in tasks { try await task.value }
        #expect(order.all == ["busy 3 refused", "busy 1", "other", "busy 2"])
    }

    @Test("S47: workers drop what waits for callers that left, and run what is left")
    func leftWorkers() async throws {
        let pool = WorkerPool(threads: 1, waiting: 3)
        let order = Order()
        let held = await HeldTurn(in: pool)
        var tasks: [Task<Void, any Error>] = []
        for number in 1...3 {
            tasks.append(Task { try await pool.run { order.add("\(number)") } })
            await until("the caller waits") { pool.waitingCount == number }
        }
        tasks[0].cancel()
        tasks[2].cancel()
        await until("one waits") { pool.waitingCount == 1 }
        for index in [0, 2] { await #expect(throws: CancellationError.self) { try await tasks[index].value } }
        try await held.end()
        try await tasks[1].value
        #expect(order.all == ["2"])
        #expect(try await pool.run { 7 } == 7)
    }
}

/// A flag that several tasks hold.
private final class Flag: Sendable {
    private let flag = Mutex(false)
    var isSet: Bool { flag.withLock { $0 } }
    func set() { flag.withLock { $0 = true } }
}
