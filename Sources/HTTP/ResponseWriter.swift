// Converts responses into what libmicrohttpd sends, and refusals into bytes.
import CMicrohttpd
import FoundationEssentials
import Glibc

/// The two ways in which a response leaves.
enum ResponseWriter {
    /// Bodies up to this size are copied at once; larger ones are copied piece by piece while they are sent.
    private static let copiedAtOnce = 64 * 1024
    private static let serversOwn = ["Content-Length", "Transfer-Encoding", "Connection", "Date"]

    /// Gives a response to libmicrohttpd, which sends it; false when memory or the file is missing.
    static func queue(_ response: Response, on connection: OpaquePointer, closing: Bool) -> Bool {
        guard let native = body(response.body) else { return false }
        defer { MHD_destroy_response(native) }
        for field in response.headers.fields where !isServersOwn(field.name) {
            add(field.name, field.value, to: native)
        }
        if !response.headers.contains("X-Content-Type-Options") {
            add("X-Content-Type-Options", "nosniff", to: native)
        }
        if closing { add("Connection", "close", to: native) }
        return MHD_queue_response(connection, UInt32(response.status), native) == .YES
    }

    /// A string that is given to C as it is would be copied into an array first.
    private static func add(_ name: String, _ value: String, to native: OpaquePointer) {
        _ = name.withCString { name in value.withCString { MHD_add_response_header(native, name, $0) } }
    }

    private static func isServersOwn(_ name: String) -> Bool {
        serversOwn.contains { name.equalsIgnoringCase($0) }
    }

    private static func body(_ body: ResponseBody) -> OpaquePointer? {
        switch body {
        case .empty:
            return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        case .bytes(let bytes) where bytes.count <= copiedAtOnce:
            return bytes.withUnsafeBytes {
                MHD_create_response_from_buffer(
                    $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .bytes(let bytes):
            let source = Unmanaged.passRetained(ByteSource(bytes)).toOpaque()
            return MHD_create_response_from_callback(
                UInt64(bytes.count), copiedAtOnce, readSource, source, releaseSource)
        case .file(let path, let size):
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            guard let native = MHD_create_response_from_fd(size, file) else {
                close(file)
                return nil
            }
            return native
        case .unwritten(let write):
            return (try? write()).flatMap { Self.body(.bytes($0)) }
        }
    }

    /// A whole response as bytes, after which the connection closes.
    static func bytes(_ response: Response, isHead: Bool, date: Int64) -> [UInt8] {
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        if case .unwritten(let write) = response.body { body = (try? write()) ?? [] }
        let reason = String(cString: MHD_get_reason_phrase_for(UInt32(response.status)))
        var head = "HTTP/1.1 \(response.status) \(reason)\r\nDate: \(HeaderDate.text(date))\r\n"
        head += "Content-Length: \(body.count)\r\nConnection: close\r\n"
        for field in response.headers.fields where !isServersOwn(field.name) {
            head += "\(field.name): \(field.value)\r\n"
        }
        if !response.headers.contains("X-Content-Type-Options") { head += "X-Content-Type-Options: nosniff\r\n" }
        head += "\r\n"
        return Array(head.utf8) + (isHead ? [] : body)
    }
}

/// Bytes that live as long as libmicrohttpd sends them.
private final class ByteSource {
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
}

private let readSource: MHD_ContentReaderCallback = { context, position, target, capacity in
    guard let context, let target else { return -2 }
    let source = Unmanaged<ByteSource>.fromOpaque(context).takeUnretainedValue()
    let start = Int(position)
    let count = min(capacity, source.bytes.count - start)
    source.bytes.withUnsafeBytes {
        UnsafeMutableRawPointer(target).copyMemory(from: $0.baseAddress.unsafelyUnwrapped + start, byteCount: count)
    }
    return count
}

private let releaseSource: MHD_ContentReaderFreeCallback = { context in
    if let context { Unmanaged<ByteSource>.fromOpaque(context).release() }
}
