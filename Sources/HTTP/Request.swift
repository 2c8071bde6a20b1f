// A whole request, checked and decoded, as handlers see it.
import EventLoop

/// One request. Its path, query and form are decoded once and are valid UTF-8 without NUL. One object, for it goes
/// through many hands.
package final class Request: Sendable {
    /// As sent; methods are case-sensitive.
    package let method: String
    /// Begins with `/`; without `.` and `..` segments and without escaped slashes.
    package let path: String
    /// The request target as it came, with its query.
    package let rawTarget: String
    package let query: FormFields
    package let headers: Headers
    package let body: Body
    /// The client's address without port, such as `192.0.2.7` or `2001:db8::7`; that of a proxy which is not believed.
    package let remoteAddress: String
    /// The loop that runs the handler.
    package let loop: EventLoop
    let number: UInt64
    /// Held as long as the request: the memory of its body.
    private let room: BodyBudget.Room?

    /// Makes a request without a connection, for handlers that are called directly.
    package convenience init(
        method: String, path: String, rawTarget: String, query: FormFields = FormFields(), headers: Headers = Headers(),
        body: Body = .none, remoteAddress: String, loop: EventLoop, number: UInt64 = 0
    ) {
        self.init(
            method: method, path: path, rawTarget: rawTarget, query: query, headers: headers, body: body,
            remoteAddress: remoteAddress, loop: loop, number: number, room: nil)
    }

    init(
        method: String, path: String, rawTarget: String, query: FormFields, headers: Headers, body: Body,
        remoteAddress: String, loop: EventLoop, number: UInt64, room: BodyBudget.Room?
    ) {
        self.method = method
        self.path = path
        self.rawTarget = rawTarget
        self.query = query
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
        self.loop = loop
        self.number = number
        self.room = room
    }

    /// Thirteen letters and digits that name this request in logs and error documents.
    package var id: String { RequestID.text(number) }

    package var isHead: Bool { method == "HEAD" }

    /// The form of the body, or an empty one.
    package var form: FormFields { body.form }

    /// The same request with another form.
    package func with(form: FormFields) -> Request {
        Request(
            method: method, path: path, rawTarget: rawTarget, query: query, headers: headers, body: .form(form),
            remoteAddress: remoteAddress, loop: loop, number: number, room: room)
    }

    /// The media type of the body; nil when it is missing or malformed.
    package var contentType: MediaType? { headers["Content-Type"].flatMap { MediaType($0) } }

    /// The value of a cookie; nil if none was sent.
    package func cookie(_ name: String) -> String? { Cookie.find(name, in: headers.all("Cookie")) }
}
