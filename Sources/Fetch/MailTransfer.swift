// Sends one message to a mail server by SMTP, with TLS unless the configuration disables it.
import CCurl

/// The mail server and its credentials. The operator chose the server, so the fetch policy does not apply to it.
package struct MailServer: Sendable {
    /// `smtp://host:port` or `smtps://host:port`.
    let url: String
    let user: String?
    let password: @Sendable () -> String?
    let isPlain: Bool
    let caFile: String?
    var connectMilliseconds = 10_000
    var wholeMilliseconds = 60_000

    package init(
        url: String, user: String?, password: @escaping @Sendable () -> String?, isPlain: Bool, caFile: String?
    ) {
        self.url = url
        self.user = user
        self.password = password
        self.isPlain = isPlain
        self.caFile = caFile
    }
}

package enum MailOutcome: Sendable, Equatable {
    case taken
    /// The server refused this message permanently, with its reply.
    case refused(String)
    /// A temporary failure, with its reason.
    case later(String)
}

extension FetchClient {
    /// Sends `message`, whose lines end in CRLF, on one of the client's threads.
    package func mail(_ message: [UInt8], from: String, to recipient: String, by server: MailServer) async
        -> MailOutcome
    {
        await withCheckedContinuation { (caller: CheckedContinuation<MailOutcome, Never>) in
            let isClaimed = enqueue { _ in
                caller.resume(returning: MailTransfer(message).send(from: from, to: recipient, by: server))
            }
            if !isClaimed { caller.resume(returning: .later("No thread is available.")) }
        }
    }
}

/// One message being sent; used by one thread.
private final class MailTransfer {
    private let message: [UInt8]
    private var sent = 0
    private var reply: [UInt8] = []

    init(_ message: [UInt8]) { self.message = message }

    func send(from: String, to recipient: String, by server: MailServer) -> MailOutcome {
        guard let easy = curl_easy_init() else { return .later("Out of memory.") }
        defer { curl_easy_cleanup(easy) }
        let isSafe =
            vitrine_curl_text(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps") == CURLE_OK
            && vitrine_curl_text(easy, CURLOPT_PROXY, "") == CURLE_OK
            && vitrine_curl_long(easy, CURLOPT_USE_SSL, server.isPlain ? 0 : Int(CURLUSESSL_ALL.rawValue)) == CURLE_OK
            && vitrine_curl_text(easy, CURLOPT_URL, server.url) == CURLE_OK
        guard isSafe else { return .later("This version of libcurl can't send mail safely.") }
        vitrine_curl_long(easy, CURLOPT_NOSIGNAL, 1)
        vitrine_curl_long(easy, CURLOPT_CONNECTTIMEOUT_MS, server.connectMilliseconds)
        vitrine_curl_long(easy, CURLOPT_TIMEOUT_MS, server.wholeMilliseconds)
        if let file = server.caFile { vitrine_curl_text(easy, CURLOPT_CAINFO, file) }
        if let user = server.user, let password = server.password() {
            vitrine_curl_text(easy, CURLOPT_USERNAME, user)
            vitrine_curl_text(easy, CURLOPT_PASSWORD, password)
        }
        let recipients = curl_slist_append(nil, "<\(recipient)>")
        defer { curl_slist_free_all(recipients) }
        let result = withExtendedLifetime(self) {
            vitrine_curl_mail(
                easy, "<\(from)>", recipients, Self.read, Self.received, Unmanaged.passUnretained(self).toOpaque())
            return curl_easy_perform(easy)
        }
        if result == CURLE_OK { return .taken }
        let status = vitrine_curl_status(easy)
        let words = String(cString: curl_easy_strerror(result)) + "."
        let said = status >= 400 ? "The mail server said: \(lastRefusal)" : words
        // Errors of our configuration (530 to 538: authentication) can be corrected later; errors of the message can't.
        let isForGood = (500...599).contains(status) && !(530...538).contains(status) && result != CURLE_LOGIN_DENIED
        return isForGood ? .refused(said) : .later(said)
    }

    /// The server's last refusal (a closing reply may follow), as one printable line.
    private var lastRefusal: String {
        let line =
            reply.split { $0 == 0x0A || $0 == 0x0D }.last { $0.first == 0x34 || $0.first == 0x35 }.map(Array.init) ?? []
        return String(
            decoding: line.prefix(200).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    // MARK: Called by libcurl

    private static let read: vitrine_curl_body = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let transfer = Unmanaged<MailTransfer>.fromOpaque(context).takeUnretainedValue()
        let length = min(size * count, transfer.message.count - transfer.sent)
        transfer.message[transfer.sent..<transfer.sent + length].withUnsafeBytes { piece in
            UnsafeMutableRawBufferPointer(start: bytes, count: length).copyMemory(from: piece)
        }
        transfer.sent += length
        return length
    }

    private static let received: vitrine_curl_body = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let transfer = Unmanaged<MailTransfer>.fromOpaque(context).takeUnretainedValue()
        let length = size * count
        // Long replies are truncated; only the last line is shown.
        if transfer.reply.count > 16_384 { transfer.reply.removeAll() }
        transfer.reply.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: min(length, 4096)))
        return length
    }
}
