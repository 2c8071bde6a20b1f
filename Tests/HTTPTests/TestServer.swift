// Runs a real server on a free port for the duration of a test.
import EventLoop
import HTTP

/// Starts a server on loops of its own, runs `body` against it, and drains it.
func withServer<Result>(
    loops loopCount: Int = 1, _ configure: (inout ServerConfiguration) -> Void = { _ in },
    handler: @escaping Handler = echo, _ body: (Server) async throws -> Result
) async throws -> Result {
    let loops = (0..<loopCount).map { EventLoop(name: "test-\($0)") }
    for loop in loops { loop.start() }
    var configuration = ServerConfiguration()
    configuration.refusal = { status, code, message, request in
        .text("\(code) \(request?.path ?? "-")", status: status)
    }
    // Tests share few threads: one may wait for seconds between two pieces of a body.
    configuration.bodyGrace = configuration.bodyTimeout
    configure(&configuration)
    let server = Server(configuration: configuration, loops: loops, handler: handler)
    try server.start()
    let result: Result
    do {
        result = try await body(server)
    } catch {
        await server.drain(grace: .zero)
        throw error
    }
    await server.drain(grace: .zero)
    for loop in loops { loop.stop() }
    return result
}

/// Responds with the parsed request. Paths under `/later` suspend first; `/sleep` takes a third of a second.
@Sendable func echo(_ request: Request) async -> Response {
    if request.path.hasPrefix("/later") { await Task.yield() }
    if request.path == "/sleep" { await request.loop.sleep(for: .milliseconds(300)) }
    let fields = request.query.fields + request.form.fields
    let uploads = request.form.uploads.map { "\($0.name):\($0.filename):\($0.contentType ?? "-"):\($0.bytes.count)" }
    let parts =
        ["\(request.method) \(request.path)"] + fields.map { "\($0.name)=\($0.value)" } + uploads
        + (request.body.bytes.isEmpty ? [] : ["body:" + String(decoding: request.body.bytes, as: UTF8.self)])
    return .text(parts.joined(separator: " "))
}
