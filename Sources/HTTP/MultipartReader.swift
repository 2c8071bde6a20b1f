// Reads a multipart form (RFC 7578, RFC 2046) piece by piece, within limits.
import Glibc

/// One multipart body. Bytes before the first delimiter and after the last one are allowed and ignored.
final class MultipartReader {
    private enum State {
        /// Before the first delimiter.
        case preamble
        /// After a delimiter, which is one only if nothing but blanks follows on its line.
        case delimiter
        case head
        case content
        /// After the last delimiter.
        case epilogue
    }

    private let maxParts: Int
    private let maxFiles: Int
    private let maxPartHeader: Int
    private let maxBytes: Int
    /// The bytes of the fields so far.
    private var fieldBytes = 0
    /// A line ending, two hyphens and the boundary.
    private let delimiter: [UInt8]
    private var state = State.preamble
    /// What came and is not taken yet. The body begins like after a line ending.
    private var pending: [UInt8] = [0x0D, 0x0A]
    private var form = FormFields()
    private var part: MultipartPart?
    private var parts = 0

    /// `boundary` is the parameter of the content type; `maxBytes` counts those of fields, not of files.
    init(boundary: String?, limits: ServerConfiguration, maxBytes: Int) throws(Refusal) {
        guard let boundary, (1...70).contains(boundary.utf8.count), boundary.utf8.last != UInt8(ascii: " "),
            boundary.utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
        else { throw .malformed("The multipart form has no boundary of 1 to 70 characters.") }
        maxParts = limits.maxFormFields
        maxFiles = limits.maxFiles
        maxPartHeader = limits.maxPartHeader
        self.maxBytes = maxBytes
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    func take(_ bytes: UnsafeBufferPointer<UInt8>) throws(Refusal) {
        if state == .epilogue { return }
        pending.append(contentsOf: bytes)
        var taken = 0
        while try step(&taken) {}
        pending.removeFirst(taken)
    }

    func finish() throws(Refusal) -> FormFields {
        // The last delimiter needs no line ending.
        if state == .delimiter, isClosing(pending.dropFirst(delimiter.count)) {
            try endPart()
            state = .epilogue
        }
        guard state == .epilogue, parts > 0 else {
            throw .malformed("The multipart form has no parts, or does not end. Its lines must end with CR LF.")
        }
        return form
    }

    /// Takes what it can from `taken` on; false when more bytes are needed first.
    private func step(_ taken: inout Int) throws(Refusal) -> Bool {
        switch state {
        case .preamble, .content: try takeContent(&taken)
        case .delimiter: try takeDelimiter(&taken)
        case .head: try takeHead(&taken)
        case .epilogue: false
        }
    }

    /// Up to the next delimiter, or to where one may begin.
    private func takeContent(_ taken: inout Int) throws(Refusal) -> Bool {
        let found = position(of: delimiter, from: taken)
        let end = found ?? max(taken, pending.count - delimiter.count + 1)
        if state == .content { part?.bytes.append(contentsOf: pending[taken..<end]) }
        taken = end
        if found == nil { return false }
        state = .delimiter
        return true
    }

    private func takeDelimiter(_ taken: inout Int) throws(Refusal) -> Bool {
        let rest = pending[(taken + delimiter.count)...]
        let closes = rest.starts(with: "--".utf8)
        let padding = rest.dropFirst(closes ? 2 : 0).prefix(while: Self.isBlank)
        let after = rest[padding.endIndex...]
        guard padding.count <= maxPartHeader else { throw Self.malformedHead }
        // Too little to tell a delimiter from content.
        if after.isEmpty || after.elementsEqual([0x0D]) || (rest.count == 1 && rest.first == UInt8(ascii: "-")) {
            return false
        }
        guard after.starts(with: "\r\n".utf8) else {
            // A longer line that only begins like a delimiter.
            part?.bytes.append(contentsOf: delimiter)
            taken += delimiter.count
            state = part == nil ? .preamble : .content
            return true
        }
        try endPart()
        taken = after.startIndex + 2
        state = closes ? .epilogue : .head
        return true
    }

    private func takeHead(_ taken: inout Int) throws(Refusal) -> Bool {
        let rest = pending[taken...]
        let hasLines = !rest.starts(with: "\r\n".utf8)
        let ending: [UInt8] = hasLines ? [0x0D, 0x0A, 0x0D, 0x0A] : [0x0D, 0x0A]
        guard let end = position(of: ending, from: taken) else {
            if rest.count > maxPartHeader { throw Self.malformedHead }
            return false
        }
        guard end - taken <= maxPartHeader else { throw Self.malformedHead }
        parts += 1
        if parts > maxParts { throw Refusal(413, "too_many_parts", "The form has more than \(maxParts) parts.") }
        part = try MultipartPart(head: rest[..<end])
        taken = end + ending.count
        state = .content
        return true
    }

    private func endPart() throws(Refusal) {
        let ended = part
        part = nil
        if let ended, !ended.isFile {
            fieldBytes += ended.fieldBytes
            if fieldBytes > maxBytes { throw .bodyTooLarge(limit: maxBytes) }
        }
        try ended?.add(to: &form)
        // File fields that were left empty add no file.
        if form.uploads.count > maxFiles {
            throw Refusal(413, "too_many_parts", "The form has more than \(maxFiles) files.")
        }
    }

    /// Whether what follows a delimiter at the end of the body makes it the last one.
    private func isClosing(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.starts(with: "--".utf8) && rest.dropFirst(2).drop(while: Self.isBlank).isEmpty
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// The bytes of a file are searched here, so it has to be fast.
    private func position(of wanted: [UInt8], from start: Int) -> Int? {
        pending.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var at = start
            while at + wanted.count <= bytes.count,
                let found = memchr(base + at, Int32(wanted[0]), bytes.count - at - wanted.count + 1)
            {
                at = base.distance(to: UnsafeRawPointer(found))
                if memcmp(base + at, wanted, wanted.count) == 0 { return at }
                at += 1
            }
            return nil
        }
    }

    private static let malformedHead = Refusal.malformed(
        "The multipart form is malformed, or the head of a part is too long.")
}
