// What a handler responds with.

/// The content of a response.
package enum ResponseBody: Sendable {
    case empty
    case bytes([UInt8])
    /// A file that is read while it is sent; `size` bytes of it.
    case file(path: String, size: Int)
    /// Bytes that take long to write. A site writes them away from the event loops before it responds; what it leaves is written
    /// when it is sent.
    case unwritten(@Sendable () throws -> [UInt8])
}

/// A response. Content-Length, Date and Connection are the server's; header values cannot end their line.
package struct Response: Sendable {
    package var status: Int
    package var headers = Headers()
    package var body: ResponseBody

    package init(status: Int, body: ResponseBody = .empty) {
        self.status = status
        self.body = body
    }

    // MARK: Common responses

    package static func status(_ status: Int) -> Response {
        Response(status: status)
    }

    package static func text(_ text: String, status: Int = 200) -> Response {
        bytes(Array(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }

    package static func html(_ bytes: [UInt8], status: Int = 200) -> Response {
        .bytes(bytes, type: "text/html; charset=utf-8", status: status)
    }

    package static func html(_ text: String, status: Int = 200) -> Response {
        html(Array(text.utf8), status: status)
    }

    package static func json(_ bytes: [UInt8], status: Int = 200, type: String = "application/json") -> Response {
        .bytes(bytes, type: type, status: status)
    }

    package static func bytes(_ bytes: [UInt8], type: String, status: Int = 200) -> Response {
        var response = Response(status: status, body: .bytes(bytes))
        response.headers.append("Content-Type", type)
        return response
    }

    /// Sends the client to a place on this site. Anything that is not one (`isLocal`) leads to `/`.
    package static func redirect(_ status: Int = 303, to place: String) -> Response {
        var response = Response(status: status)
        response.headers.append("Location", isLocal(place) ? asciiOnly(place) : "/")
        return response
    }

    /// Whether a path with query stays on this site however a browser reads it: one slash first, then neither a slash
    /// nor a backslash, and no backslash, space or control byte anywhere (browsers drop tabs and line ends and take
    /// `\` for `/`).
    package static func isLocal(_ place: String) -> Bool {
        guard place.utf8.first == UInt8(ascii: "/"), !place.utf8.starts(with: "//".utf8) else { return false }
        return place.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
    }

    private static func asciiOnly(_ place: String) -> String {
        PercentCoding.encode(place) { $0 < 0x80 }
    }

    // MARK: Headers

    /// The response with a header replaced or added.
    package func with(_ name: String, _ value: String) -> Response {
        var response = self
        response.headers.set(name, value)
        return response
    }

    package mutating func setCookie(_ cookie: Cookie) {
        headers.append("Set-Cookie", cookie.headerValue)
    }
}
