// Signs requests to S3-compatible stores (AWS Signature Version 4).
import Platform

/// Implemented here because Debian's libcurl omits x-amz-content-sha256 and signs uploads incorrectly.
struct BucketSignature {
    let keyID: String
    let secret: Secret
    let region: String

    /// The headers to send, without Host. `path` and the values of `query` are unencoded; `time` is like
    /// 20261120T180000Z.
    func headers(
        _ method: String, host: String, path: String, query: [(name: String, value: String)] = [], body: [UInt8],
        type: String? = nil, time: String
    ) -> [(name: String, value: String)] {
        let sum = SHA256.hex(body)
        var signed = [("host", host), ("x-amz-content-sha256", sum), ("x-amz-date", time)]
        if let type { signed.insert(("content-type", type), at: 0) }
        let names = signed.map(\.0).joined(separator: ";")
        let request = [
            method, Self.encode(path, keeping: "/"), Self.text(of: query),
            signed.map { "\($0):\($1)\n" }.joined(), names, sum,
        ].joined(separator: "\n")
        let scope = "\(time.prefix(8))/\(region)/s3/aws4_request"
        let statement = ["AWS4-HMAC-SHA256", time, scope, SHA256.hex(request)].joined(separator: "\n")
        let signature = Hex.text(HMAC.sha256(key: key(day: time.prefix(8)), message: Array(statement.utf8)))
        let credential = "AWS4-HMAC-SHA256 Credential=\(keyID)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
        let sent = [("x-amz-content-sha256", sum), ("x-amz-date", time), ("Authorization", credential)]
        return (type.map { [("Content-Type", $0)] } ?? []) + sent
    }

    private func key(day: Substring) -> [UInt8] {
        let first = Array(("AWS4" + secret.reveal()).utf8)
        return [String(day), region, "s3", "aws4_request"].reduce(first) { key, part in
            HMAC.sha256(key: key, message: Array(part.utf8))
        }
    }

    /// The query as signed and sent: sorted by name, everything but letters, digits and `-._~` percent-encoded.
    static func text(of query: [(name: String, value: String)]) -> String {
        query.map { (encode($0.name), encode($0.value)) }.sorted { $0 < $1 }.map { "\($0)=\($1)" }
            .joined(separator: "&")
    }

    static func encode(_ text: String, keeping others: String = "") -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            let isUnreserved =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-._~".utf8.contains(byte) || others.utf8.contains(byte)
            encoded += isUnreserved ? String(UnicodeScalar(byte)) : "%" + Hex.text([byte]).uppercased()
        }
    }
}
