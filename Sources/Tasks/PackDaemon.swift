// What a pack adds to a daemon: services for its pages and endpoints, and loops beside the worker.
import Domain
import EventLoop
import Platform
import Store

/// Work in the background of a daemon, apart from the worker.
package protocol BackgroundLoop: Sendable {
    func start()
    /// Returns when the current piece of work is finished.
    func stop() async
}

package struct PackDaemon: PackPart {
    package struct Environment: Sendable {
        package let settings: Settings
        package let database: Database
        package let content: ContentRules
        package let log: Logger
        package let loop: EventLoop

        package init(settings: Settings, database: Database, content: ContentRules, log: Logger, loop: EventLoop) {
            self.settings = settings
            self.database = database
            self.content = content
            self.log = log
            self.loop = loop
        }
    }

    package struct Running: Sendable {
        /// For pages; each finds its own by its type.
        package let services: [any Sendable]
        package let loops: [any BackgroundLoop]

        package init(services: [any Sendable], loops: [any BackgroundLoop]) {
            self.services = services
            self.loops = loops
        }
    }

    /// For endpoints, from the configuration alone. Throws `ConfigurationError` or `Failure`.
    package let configured: @Sendable (Settings) throws -> [any Sendable]
    package let prepare: @Sendable (Environment) throws -> Running

    package init(
        configured: @escaping @Sendable (Settings) throws -> [any Sendable],
        prepare: @escaping @Sendable (Environment) throws -> Running
    ) {
        self.configured = configured
        self.prepare = prepare
    }
}
