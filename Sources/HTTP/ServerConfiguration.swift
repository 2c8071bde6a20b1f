// What a server listens on, how long it waits and how much it takes.

/// Answers one request. It runs on the request's loop and may suspend.
package typealias Handler = @Sendable (Request) async -> Response

/// All limits of a server. Time limits are absolute: a client that sends a byte now and then gains nothing.
package struct ServerConfiguration: Sendable {
    package var host: String
    /// 0 takes any free port.
    package var port: Int

    /// From the connection, or from the request line on a kept connection, to the end of the head.
    package var headerTimeout = Duration.seconds(10)
    /// From the head to the end of the body, lengthened by what arrives at `minimumRate`.
    package var bodyTimeout = Duration.seconds(15)
    /// How long a body may come more slowly than `minimumBodyRate`, in bytes a second on average from then on.
    package var bodyGrace = Duration.seconds(5)
    package var minimumBodyRate = 512
    /// From a response to the next request line on a kept connection.
    package var idleTimeout = Duration.seconds(60)
    /// How long a client may leave responses unread, or read them more slowly than `minimumRate`.
    package var responseTimeout = Duration.seconds(15)
    /// Bytes a second that a slow but honest client manages.
    package var minimumRate = 4096

    /// Beyond these the connections that wait longest for a request make room.
    package var maxConnections = 20_000
    /// The whole head; 431 beyond. A Cookie header of more than some 7 KiB counts twice.
    package var maxHeaderBytes = 32 * 1024
    /// Method, target and version; 414 beyond.
    package var maxRequestLine = 8 * 1024
    /// 431 beyond.
    package var maxHeaders = 100
    /// Fields of a query (400 beyond) or a form (413 beyond); each part of a multipart form is one.
    package var maxFormFields = 1000
    /// Files of a multipart form; 413 beyond.
    package var maxFiles = 100
    /// Bytes of the header lines of a part; 413 beyond.
    package var maxPartHeader = 8 * 1024

    /// How many bytes of body a method and path may take; 413 beyond.
    package var bodyLimit: @Sendable (_ method: String, _ path: String) -> Int = { _, _ in 1 << 20 }

    /// How many of these the fields of a form may take, which are read whole: all of a URL-encoded form, and the parts of a
    /// multipart form without a file name; 413 beyond. Nil for all of them.
    package var formLimit: (@Sendable (_ method: String, _ path: String) -> Int)?

    /// Bodies up to so many bytes are read at once; `admission` is asked about the senders of larger ones, which share
    /// `bodyMemory`.
    package var smallBody = 64 * 1024
    /// Bytes of larger bodies in memory: three quarters for known senders and one for the others, so that a stranger who sends
    /// slowly keeps nobody waiting who is known.
    package var bodyMemory = 64 << 20
    /// How long a body of a known sender waits for memory; 503 then, and at once for other senders.
    package var bodyWait = Duration.seconds(30)
    /// How many bodies may wait for memory; beyond, those of networks with most get 503 at once.
    package var maxWaitingBodies = 200

    /// Bytes of responses larger than `smallBody` that wait for their clients to take them; with many loops, at least 8 MiB for
    /// each. Beyond, the network with most gives up its oldest ones.
    package var responseMemory = 48 << 20

    /// Whether a body of so many bytes is read only if its sender is not refused.
    package var admitsFirst: @Sendable (_ method: String, _ path: String, _ length: Int) -> Bool = { _, _, _ in false }

    /// Looks at the head of such a request, and of one with a large body.
    package var admission: @Sendable (_ head: Request) async -> Admission = { _ in .unknown }

    /// Answers what needs no waiting, without a task of its own; nil where the handler is to be asked.
    package var fastPath: @Sendable (Request) -> Response? = { _ in nil }

    /// Who asks, given the peer's address and the head of the request: where a proxy is believed, whom it names.
    package var clientAddress: @Sendable (_ peer: String, _ headers: Headers) -> String = { peer, _ in peer }

    /// What counts as one client: the network of an address.
    package var network: @Sendable (_ address: String) -> String = { $0 }

    /// Whether the connections of an address bring the requests of many clients.
    package var isProxy: @Sendable (_ peer: String) -> Bool = { _ in false }

    /// Renders a refusal that HTTP itself makes: status, a stable code, a sentence, and the request as far as it was
    /// understood.
    package var refusal: @Sendable (_ status: Int, _ code: String, _ message: String, _ request: Request?) -> Response =
        {
            status, _, message, _ in .text(message + "\n", status: status)
        }

    package init(host: String = "127.0.0.1", port: Int = 0) {
        self.host = host
        self.port = port
    }
}
