// Content that takes seconds to create: created once, then copied for each test.
import Synchronization

package final class PreparedDatabase: Sendable {
    private let fill: @Sendable (TestDatabase) async throws -> Void
    private let template = Mutex<Task<String, any Error>?>(nil)

    package init(_ fill: @escaping @Sendable (TestDatabase) async throws -> Void) { self.fill = fill }

    package func copy() async throws -> TestDatabase {
        let name = try await template.withLock { [fill] template in
            // Detached, so that the template isn't dropped with the first test.
            let task =
                template
                ?? Task.detached {
                    let test = try await TestDatabase.make()
                    try await fill(test)
                    await test.close()
                    return test.name
                }
            template = task
            return task
        }.value
        return try await TestDatabase.make(copying: name)
    }
}
