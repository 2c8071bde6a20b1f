// Stores the files of images in a bucket of an S3-compatible store.
import Domain
import Fetch
import FoundationEssentials
import Platform

package final class MediaBucket: MediaFiles {
    /// Why a request to the store failed.
    package struct RequestFailure: Error, CustomStringConvertible {
        package let description: String
    }

    private let endpoint: String
    private let host: String
    private let bucket: String
    private let signature: BucketSignature
    private let client: FetchClient
    /// The most bytes of a file.
    private let limit: Int

    /// `endpoint` is scheme, host and port, which the client's policy must allow. The bucket is the first path segment.
    package init(
        endpoint: String, bucket: String, region: String, keyID: String, secret: Secret, client: FetchClient,
        limit: Int = 64 << 20
    ) {
        self.endpoint = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
        host = self.endpoint.split(separator: "/").last.map(String.init) ?? ""
        self.bucket = bucket
        signature = BucketSignature(keyID: keyID, secret: secret, region: region)
        self.client = client
        self.limit = limit
    }

    package func put(_ bytes: [UInt8], at path: MediaPath) async throws {
        try await check(send("PUT", path.text, body: bytes, type: path.type), "store \(path.text)")
    }

    package func content(_ path: MediaPath) async throws -> MediaContent? {
        let response = try await send("GET", path.text)
        if response.status == 404 { return nil }
        try check(response, "read \(path.text)")
        return .bytes(response.body)
    }

    package func size(_ path: MediaPath) async throws -> Int? {
        let response = try await send("HEAD", path.text)
        if response.status == 404 { return nil }
        try check(response, "get the size of \(path.text)")
        return response.length
    }

    package func remove(_ path: MediaPath) async throws {
        let response = try await send("DELETE", path.text)
        if response.status != 404 { try check(response, "remove \(path.text)") }
    }

    package func list(after last: MediaPath?) async throws -> (files: [(path: MediaPath, age: Duration)], isAll: Bool) {
        var query = [(name: "list-type", value: "2"), (name: "max-keys", value: "1000")]
        if let last { query.append((name: "start-after", value: last.text)) }
        let response = try await send("GET", "", query: query)
        try check(response, "list the bucket \(bucket)")
        let listing = BucketListing(String(decoding: response.body, as: UTF8.self))
        let now = Date()
        let files = listing.objects.compactMap { object in
            MediaPath(object.key).map { ($0, Duration.seconds(now.timeIntervalSince(object.modified))) }
        }
        // A page of only foreign files ends the listing: the bucket belongs to the library.
        return (files, !listing.isTruncated || files.isEmpty)
    }

    package var location: String { "\(endpoint)/\(bucket)" }

    package func problem() -> String? { nil }

    package func missing() -> String? { nil }

    package func identity() async throws -> String? {
        let response = try await send("GET", MediaStoreID.name)
        if response.status == 404 { return nil }
        try check(response, "read \(MediaStoreID.name)")
        return try MediaStoreID.read(response.body, of: location)
    }

    package func addIdentity(_ id: String) async throws {
        try await check(
            send("PUT", MediaStoreID.name, body: Array("\(id)\n".utf8), type: "text/plain"),
            "store \(MediaStoreID.name)")
    }

    private func send(
        _ method: String, _ name: String, query: [(name: String, value: String)] = [], body: [UInt8] = [],
        type: String? = nil
    ) async throws -> FetchResponse {
        let path = "/\(bucket)" + (name.isEmpty ? "" : "/\(name)")
        let headers = signature.headers(
            method, host: host, path: path, query: query, body: body, type: type, time: Self.time(Date()))
        var request = FetchRequest(method, headers: headers, body: body)
        request.responseLimit = limit
        request.wholeMilliseconds = 60_000
        let text = BucketSignature.text(of: query)
        let url = endpoint + BucketSignature.encode(path, keeping: "/") + (text.isEmpty ? "" : "?" + text)
        return try await client.send(request, to: url)
    }

    private func check(_ response: FetchResponse, _ operation: String) throws {
        guard !(200...299).contains(response.status) else { return }
        let code = BucketListing.content(of: "Code", in: String(decoding: response.body.prefix(4096), as: UTF8.self))
        let reason = code.map { " (\($0.filter { $0.isLetter }.prefix(60)))" } ?? ""
        throw RequestFailure(description: "the store failed to \(operation): status \(response.status)\(reason)")
    }

    /// 20261120T180000Z.
    static func time(_ date: Date) -> String {
        InstantText.text(date).filter { $0 != "-" && $0 != ":" }.prefix(15) + "Z"
    }
}
