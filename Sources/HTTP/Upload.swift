// A file that came with a multipart form.

/// One uploaded part. Its file name and content type are what the client claims: never a path, never trusted.
package struct Upload: Sendable, Equatable {
    package let name: String
    package let filename: String
    package let contentType: String?
    package let bytes: [UInt8]

    package init(name: String, filename: String, contentType: String?, bytes: [UInt8]) {
        self.name = name
        self.filename = filename
        self.contentType = contentType
        self.bytes = bytes
    }
}
