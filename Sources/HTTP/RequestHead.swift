// Checks and decodes the head of a request: what is ambiguous is refused, never guessed.
import CMicrohttpd
import Glibc

/// The request line and the headers, filled step by step, so that a refusal knows what was understood before it.
struct RequestHead {
    /// Header lines that were read and checked, with what they said. A client mostly sends the same with each request.
    struct Known {
        /// Longer ones are not kept: there may be many connections.
        static let mostBytes = 1024

        fileprivate let bytes: [UInt8]
        fileprivate let version: String
        fileprivate let headers: Headers
        fileprivate let contentLength: Int

        fileprivate func holds(_ others: UnsafeRawBufferPointer) -> Bool {
            guard bytes.count == others.count, let start = others.baseAddress else { return false }
            return memcmp(bytes, start, others.count) == 0
        }
    }

    private(set) var method = ""
    private(set) var rawTarget = ""
    private(set) var path = ""
    private(set) var query = FormFields()
    private(set) var headers = Headers()
    private(set) var contentLength = 0

    /// The bytes of a head where libmicrohttpd keeps them.
    struct Raw {
        let connection: OpaquePointer
        let method: UnsafePointer<CChar>
        let target: UnsafePointer<CChar>
        let version: UnsafePointer<CChar>
        /// Room for as many header lines as are taken.
        let lines: UnsafeMutableBufferPointer<vitrine_header>
    }

    /// Reads the head, whose target was copied as `rawTarget` before libmicrohttpd cut it up.
    mutating func read(
        _ raw: Raw, rawTarget: String, known: inout Known?, limits: ServerConfiguration
    ) throws(Refusal) {
        self.rawTarget = rawTarget
        method = String(cString: raw.method)
        let version = String(cString: raw.version)
        if method.utf8.count + rawTarget.utf8.count + version.utf8.count + 2 > limits.maxRequestLine {
            throw Refusal(414, "target_too_long", "The request line is longer than \(limits.maxRequestLine) bytes.")
        }
        if vitrine_mhd_head_size(raw.connection) > limits.maxHeaderBytes {
            throw Refusal(431, "headers_too_large", "The headers are larger than \(limits.maxHeaderBytes) bytes.")
        }
        let lines = try lines(raw, limits)
        let bytes = RequestHead.bytes(lines)
        if let known, known.version == version, known.holds(bytes) {
            (headers, contentLength) = (known.headers, known.contentLength)
            try checkRequestLine(version)
            return try readTarget(limits)
        }
        readHeaders(lines)
        try checkRequestLine(version)
        try readTarget(limits)
        try checkHost(isRequired: version == "HTTP/1.1")
        try checkFraming(version)
        try checkSingleFields()
        if bytes.count <= Known.mostBytes {
            known = Known(bytes: Array(bytes), version: version, headers: headers, contentLength: contentLength)
        }
    }

    /// The header lines, whose layout was checked.
    private func lines(_ raw: Raw, _ limits: ServerConfiguration) throws(Refusal) -> Slice<
        UnsafeMutableBufferPointer<vitrine_header>
    > {
        let count = vitrine_mhd_read_head(
            raw.connection, raw.method, raw.target, rawTarget.utf8.count, raw.version, raw.lines.baseAddress,
            Int32(raw.lines.count))
        guard count >= 0 else { throw RequestHead.refusal(count, limits) }
        return raw.lines[..<Int(count)]
    }

    /// All bytes of the lines, which lie one after the other; libmicrohttpd has put NULs for colons and line ends, so that the
    /// same bytes are the same lines.
    private static func bytes(_ lines: Slice<UnsafeMutableBufferPointer<vitrine_header>>) -> UnsafeRawBufferPointer {
        guard let first = lines.first, let last = lines.last else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: first.name, count: last.value + last.value_length - first.name)
    }

    private mutating func readHeaders(_ lines: Slice<UnsafeMutableBufferPointer<vitrine_header>>) {
        headers.reserve(lines.count)
        for line in lines {
            headers.appendReceived(
                RequestHead.text(line.name, line.name_length), RequestHead.text(line.value, line.value_length))
        }
    }

    private static func refusal(_ fault: Int32, _ limits: ServerConfiguration) -> Refusal {
        switch vitrine_head_fault(rawValue: fault) {
        case VITRINE_HEAD_COUNT: Refusal(431, "too_many_headers", "There are more than \(limits.maxHeaders) headers.")
        case VITRINE_HEAD_NAME: .malformed("A header name has a character that names cannot have.")
        case VITRINE_HEAD_VALUE: .malformed("A header value has a control character.")
        default: .malformed("The request line or a header line is not written as HTTP/1.1 has it.")
        }
    }

    /// Header text without the spaces and tabs after it; bytes that are not UTF-8 become replacement characters.
    private static func text(_ start: UnsafePointer<CChar>, _ length: Int) -> String {
        var length = length
        while length > 0, start[length - 1] == 0x20 || start[length - 1] == 0x09 { length -= 1 }
        return start.withMemoryRebound(to: UInt8.self, capacity: length) {
            String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
        }
    }

    // MARK: Checks

    private func checkRequestLine(_ version: String) throws(Refusal) {
        guard method.isToken else { throw .malformed("The method is not a word.") }
        if version == "HTTP/1.1" || version == "HTTP/1.0" { return }
        guard version.hasPrefix("HTTP/") else { throw .malformed("The request line does not end with a version.") }
        throw Refusal(505, "version_not_supported", "This server speaks HTTP/1.1.")
    }

    private mutating func readTarget(_ limits: ServerConfiguration) throws(Refusal) {
        var target = rawTarget
        // Most targets are nothing but a path, found so in one walk.
        if target.withUTF8(RequestHead.isPlainPath) {
            path = target
            return
        }
        guard rawTarget.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .malformed("The request target has a character that must be escaped.")
        }
        try readTarget(
            rawTarget.utf8.first == UInt8(ascii: "/") ? Substring(rawTarget) : try withoutAuthority(rawTarget), limits)
    }

    /// Whether a target is a path without a query, escapes and dots.
    private static func isPlainPath(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: "/") else { return false }
        for byte in bytes {
            switch byte {
            case ...0x20, 0x7F..., UInt8(ascii: "?"), UInt8(ascii: "%"), UInt8(ascii: "."): return false
            default: continue
            }
        }
        return true
    }

    private mutating func readTarget(_ target: Substring, _ limits: ServerConfiguration) throws(Refusal) {
        let question = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        path = try decodedPath(target[..<(question ?? target.endIndex)])
        if let question {
            do {
                query = try FormFields(urlEncoded: target.utf8[question...].dropFirst(), limit: limits.maxFormFields)
            } catch {
                throw .form(error, status: 400)
            }
        }
    }

    /// The path and query of a whole address, as proxies send it.
    private func withoutAuthority(_ target: String) throws(Refusal) -> Substring {
        guard let scheme = ["http://", "https://"].first(where: { target.lowercased().hasPrefix($0) }) else {
            throw .malformed("The request target must be a path.")
        }
        let rest = target.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
        return rest.first == "/" ? rest : "/" + rest
    }

    private func decodedPath(_ text: Substring) throws(Refusal) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ".") }) else {
            return String(text)
        }
        let lower = text.lowercased()
        if lower.contains("%2f") || lower.contains("%5c") {
            throw .malformed("A path must not have escaped slashes.")
        }
        let path: String
        do {
            path = try PercentCoding.decode(text.utf8, plusIsSpace: false)
        } catch {
            throw Refusal(400, "malformed_text", error.rawValue)
        }
        if path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            throw .malformed("A path must not have the segments . and ..")
        }
        return path
    }

    private func checkHost(isRequired: Bool) throws(Refusal) {
        if headers.count("Host") > 1 { throw .malformed("There is more than one Host header.") }
        guard let host = headers["Host"] else {
            if isRequired { throw .malformed("The Host header is missing.") }
            return
        }
        // Names, IPv4 and bracketed IPv6 addresses, and a port.
        let isPlain = host.utf8.allSatisfy {
            PercentCoding.isUnreserved($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "[")
                || $0 == UInt8(ascii: "]")
        }
        guard isPlain else { throw .malformed("The Host header is not a host.") }
    }

    /// One reading of where the body ends, or none at all: two would let one request hide another.
    private mutating func checkFraming(_ version: String) throws(Refusal) {
        let lengths = headers.count("Content-Length")
        let codings = headers.count("Transfer-Encoding")
        if codings > 0 {
            guard lengths == 0, codings == 1, version == "HTTP/1.1" else {
                throw .malformed("The body has more than one length, or none that HTTP/1.0 knows.")
            }
            // RFC 9112 section 6.1 allows it, and a lenient reading of chunks is how requests are smuggled.
            throw Refusal(411, "length_required", "A body needs a Content-Length; transfer codings are not taken.")
        }
        if let text = headers["Content-Length"] {
            let isDigits = text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
            guard lengths == 1, isDigits, let length = Int(text) else {
                throw .malformed("The Content-Length is not one number.")
            }
            contentLength = length
        }
    }

    private func checkSingleFields() throws(Refusal) {
        for name in ["Content-Type", "Authorization", "Expect"] where headers.count(name) > 1 {
            throw .malformed("There is more than one \(name) header.")
        }
        if headers.contains("Content-Encoding") {
            throw Refusal(415, "encoding_not_supported", "A compressed or otherwise encoded body is not taken.")
        }
        if let expectation = headers["Expect"], !expectation.equalsIgnoringCase("100-continue") {
            throw Refusal(417, "expectation_not_supported", "The only expectation met is 100-continue.")
        }
    }
}
