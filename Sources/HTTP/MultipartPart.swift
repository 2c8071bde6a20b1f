// One part of a multipart form: a field or a file.

struct MultipartPart {
    private let name: String
    private let filename: String?
    private let contentType: String?
    var bytes: [UInt8] = []

    var isFile: Bool { filename != nil }
    /// The bytes of a field, with those of its name.
    var fieldBytes: Int { name.utf8.count + bytes.count }

    /// Reads the header lines, without the empty line after them.
    init(head: ArraySlice<UInt8>) throws(Refusal) {
        guard let text = String(validating: head, as: UTF8.self) else { throw Self.notText(.encoding) }
        if head.contains(0) { throw Self.notText(.control) }
        var disposition: (name: String?, filename: String?) = (nil, nil)
        var contentType: String?
        for line in Self.unfolded(text).split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = String(parts[1].drop { $0 == " " || $0 == "\t" })
            switch parts[0].lowercased() {
            case "content-disposition": disposition = Self.disposition(value)
            case "content-type": contentType = value
            case "content-transfer-encoding":
                let encoding = value.lowercased().filter { $0 != " " && $0 != "\t" }
                guard ["7bit", "8bit", "binary"].contains(encoding) else {
                    throw Refusal(415, "encoding_not_supported", "An encoded part is not taken.")
                }
            default: continue
            }
        }
        guard let name = disposition.name else { throw .malformed("A part of the form has no name.") }
        if name.utf8.count > FormFields.maxName { throw .form(.longName(limit: FormFields.maxName), status: 400) }
        self.name = name
        filename = disposition.filename
        self.contentType = contentType
    }

    /// A file field that was left empty comes as a part without file name and bytes, and adds nothing.
    func add(to form: inout FormFields) throws(Refusal) {
        if let filename {
            if filename.isEmpty, bytes.isEmpty { return }
            form.append(Upload(name: name, filename: filename, contentType: contentType, bytes: bytes))
        } else if bytes.contains(0) {
            throw Self.notText(.control)
        } else if let value = WesternText.decode(bytes, charset: charset) {
            form.append(name, value)
        } else {
            throw Self.notText(.encoding)
        }
    }

    /// The character set that the part names. Several libraries name ISO 8859-1 by default.
    private var charset: String? { contentType.flatMap { MediaType($0) }?[parameter: "charset"] }

    private static func notText(_ fault: PercentCoding.Fault) -> Refusal {
        Refusal(400, "malformed_text", fault.rawValue)
    }

    /// A line that begins with a space or tab continues the previous header.
    private static func unfolded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
            if isBlank, bytes.suffix(2) == [0x0D, 0x0A] {
                bytes.removeLast(2)
                bytes.append(UInt8(ascii: " "))
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func disposition(_ value: String) -> (name: String?, filename: String?) {
        var reader = FieldReader(value)
        guard reader.token()?.lowercased() == "form-data" else { return (nil, nil) }
        var (name, filename): (String?, String?) = (nil, nil)
        var extended: String?
        reader.skipSpace()
        while reader.take(UInt8(ascii: ";")) {
            reader.skipSpace()
            guard let parameter = reader.token()?.lowercased(), reader.take(UInt8(ascii: "=")),
                let value = reader.next == UInt8(ascii: "\"") ? quoted(&reader) : reader.token()
            else { break }
            if parameter == "name", name == nil { name = value }
            if parameter == "filename", filename == nil { filename = value }
            if parameter.hasPrefix("filename*"), extended == nil || parameter != "filename*" {
                // RFC 2231 divides a long name into numbered parameters, of which those with escapes end in a star.
                let isEscaped = parameter.hasSuffix("*")
                let before = extended ?? (isEscaped ? "" : "utf-8''")
                extended = before + (isEscaped ? value : PercentCoding.encode(value))
            }
            reader.skipSpace()
        }
        guard let extended else { return (name, filename) }
        return (name, Self.extended(extended) ?? filename ?? "")
    }

    /// `UTF-8'language'name` with escapes (RFC 8187), which several clients write for names beyond ASCII; nil for others.
    private static func extended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = try? PercentCoding.bytes(parts[2].utf8, plusIsSpace: false) else {
            return nil
        }
        return WesternText.decode(bytes, charset: String(parts[0]))
    }

    /// Browsers write a backslash as it is and a quote as `%22`; other clients write `\"`. So a backslash only escapes
    /// a quote.
    private static func quoted(_ reader: inout FieldReader) -> String? {
        var text = ""
        _ = reader.take(UInt8(ascii: "\""))
        while true {
            text += reader.take { $0 != UInt8(ascii: "\"") }
            guard reader.take(UInt8(ascii: "\"")) else { return nil }
            guard text.hasSuffix("\\"), reader.next != nil, reader.next != UInt8(ascii: ";") else { return text }
            text.removeLast()
            text += "\""
        }
    }
}
