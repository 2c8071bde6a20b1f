// One libcurl handle, used by one thread: sends a request and checks every IP address before connecting to it.
import CCurl
import Glibc

final class FetchHandle {
    private let easy: UnsafeMutableRawPointer?

    init() { easy = curl_easy_init() }

    deinit { curl_easy_cleanup(easy) }

    /// State shared by the callbacks of one request.
    private final class Exchange {
        let target: FetchTarget
        let limit: Int
        var body: [UInt8] = []
        var isCut = false
        var isRefused = false

        init(_ target: FetchTarget, limit: Int) {
            self.target = target
            self.limit = limit
        }
    }

    func send(_ request: FetchRequest, to target: FetchTarget) throws -> FetchResponse {
        guard let easy, let url = curl_url() else { throw FetchFailure(description: "Out of memory.") }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, target.text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK else {
            throw FetchFailure(description: "Enter a valid URL.")
        }
        curl_easy_reset(easy)
        // `Expect:` without a value: do not ask before sending so little. A type is what the caller names, or none.
        var list: UnsafeMutablePointer<curl_slist>?
        var lines = request.headers.map { "\($0.name): \($0.value)" } + ["Expect:"]
        if !request.headers.contains(where: { $0.name == "Content-Type" }) { lines.append("Content-Type:") }
        for line in lines { list = curl_slist_append(list, line) ?? list }
        defer { curl_slist_free_all(list) }
        let exchange = Exchange(target, limit: request.responseLimit)
        try configure(easy, target.policy, whole: request.wholeMilliseconds)
        let result = withExtendedLifetime(exchange) {
            vitrine_curl_url(easy, url)
            vitrine_curl_headers(easy, list)
            vitrine_curl_method(easy, request.method, request.body, request.body.count)
            vitrine_curl_callbacks(easy, Self.receive, Self.open, Unmanaged.passUnretained(exchange).toOpaque())
            return curl_easy_perform(easy)
        }
        guard result == CURLE_OK || exchange.isCut else {
            if exchange.isRefused { throw FetchRefusal(description: FetchTarget.inside(target.host)) }
            throw FetchFailure(description: String(cString: curl_easy_strerror(result)) + ".")
        }
        let wait = vitrine_curl_retry_after(easy)
        let length = vitrine_curl_length(easy)
        return FetchResponse(
            status: vitrine_curl_status(easy), body: exchange.body, isCut: exchange.isCut,
            length: length < 0 ? nil : Int(length), retryAfter: wait > 0 ? Int(wait) : nil,
            redirect: vitrine_curl_redirect(easy).map { String(cString: $0) })
    }

    private func configure(_ easy: UnsafeMutableRawPointer, _ policy: FetchPolicy, whole: Int) throws {
        let isSafe =
            vitrine_curl_text(easy, CURLOPT_PROTOCOLS_STR, policy.schemes) == CURLE_OK
            // A proxy from the environment would connect for us, past the check of the address.
            && vitrine_curl_text(easy, CURLOPT_PROXY, "") == CURLE_OK
            && vitrine_curl_long(easy, CURLOPT_FOLLOWLOCATION, 0) == CURLE_OK
        guard isSafe else { throw FetchFailure(description: "This version of libcurl can't send requests safely.") }
        vitrine_curl_long(easy, CURLOPT_NOSIGNAL, 1)
        vitrine_curl_long(easy, CURLOPT_CONNECTTIMEOUT_MS, FetchRequest.connectMilliseconds)
        vitrine_curl_long(easy, CURLOPT_TIMEOUT_MS, whole)
        vitrine_curl_text(easy, CURLOPT_USERAGENT, "Vitrine")
    }

    // MARK: Called by libcurl

    private static let receive: vitrine_curl_body = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
        let room = exchange.limit - exchange.body.count
        let length = size * count
        exchange.body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: min(room, length)))
        if length > room { exchange.isCut = true }
        // Taking less than was given ends the transfer.
        return length > room ? room : length
    }

    private static let open: vitrine_curl_socket = { context, _, address in
        guard let context, let address else { return -1 }
        let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
        let target = exchange.target
        let known = vitrine_curl_address(address).flatMap {
            IPAddress.read($0, length: Int(address.pointee.addrlen))
        }
        guard let known, target.policy.allows(host: target.host, address: known.address, port: known.port) else {
            exchange.isRefused = true
            return -1
        }
        exchange.isRefused = false
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, kind, address.pointee.`protocol`)
    }
}
