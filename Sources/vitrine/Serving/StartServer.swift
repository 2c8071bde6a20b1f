// Serves the operational endpoints while a daemon waits for its database.
import EventLoop
import HTTP
import Platform

/// Everything else is 503. The daemon then takes over the socket.
struct StartServer: Sendable {
    private static let grace = Duration.seconds(5)

    private let server: Server

    /// `problem`: why the daemon can't start yet.
    init(_ settings: Settings, loop: EventLoop, problem: @escaping @Sendable () -> String) {
        let health = Health(settings: settings) { Readiness(problem: problem()) }
        server = Server(configuration: ServerConfiguration(), loops: [loop]) { request in
            switch request.path {
            case "/healthz", "/readyz", "/metrics": await health.respond(request)
            default: Self.unavailable
            }
        }
        health.observe(server)
    }

    private static let unavailable = Response.bytes(
        Array(
            #"{"title":"Service unavailable","status":503,"code":"unavailable","detail":"The daemon waits for its database."}"#
                .utf8),
        type: "application/problem+json", status: 503
    ).with("Retry-After", "2").with("Cache-Control", "no-store").with("X-Content-Type-Options", "nosniff")

    func start(on listening: ListeningSocket) throws { try server.start(on: listening) }

    /// New connections wait for the daemon.
    func stop() async { await server.drain(grace: Self.grace, keepsListening: true) }
}
