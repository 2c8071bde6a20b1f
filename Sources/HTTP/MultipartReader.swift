// Reads a multipart form through libmicrohttpd's post processor, within limits.
import CMicrohttpd

/// One multipart body. The post processor finds the parts; this counts them and puts their pieces together.
final class MultipartReader {
    private struct Part {
        let name: String
        let filename: String?
        let contentType: String?
        var bytes: [UInt8] = []
    }

    private let maxParts: Int
    private let maxPartHeader: Int
    private var processor: OpaquePointer?
    private var form = FormFields()
    private var part: Part?
    private var parts = 0
    private var received = 0
    private var valueBytes = 0
    private var refusal: Refusal?

    init(connection: OpaquePointer, limits: ServerConfiguration) throws(Refusal) {
        maxParts = limits.maxParts
        maxPartHeader = limits.maxPartHeader
        let context = Unmanaged.passUnretained(self).toOpaque()
        // The processor's buffer bounds each line of a part's head.
        processor = MHD_create_post_processor(connection, maxPartHeader, takePiece, context)
        if processor == nil { throw .malformed("The multipart form has no usable boundary.") }
    }

    deinit {
        if let processor { MHD_destroy_post_processor(processor) }
    }

    func take(_ bytes: UnsafeBufferPointer<UInt8>) throws(Refusal) {
        received += bytes.count
        let isGood = bytes.withMemoryRebound(to: CChar.self) {
            MHD_post_process(processor, $0.baseAddress, $0.count) == .YES
        }
        if let refusal { throw refusal }
        // Whatever is no value is part heads and boundaries; many short lines are bounded as one long line is.
        guard isGood, received - valueBytes <= (parts + 2) * maxPartHeader else {
            throw .malformed("The multipart form is malformed, or the head of a part is too long.")
        }
    }

    func finish() throws(Refusal) -> FormFields {
        let isComplete = MHD_destroy_post_processor(processor) == .YES
        processor = nil
        if isComplete { endPart() }
        if let refusal { throw refusal }
        guard isComplete, parts > 0 else { throw .malformed("The multipart form has no parts, or does not end.") }
        return form
    }

    /// A piece of a value; the first of each part has offset 0.
    fileprivate func take(
        name: UnsafePointer<CChar>?, filename: UnsafePointer<CChar>?, contentType: UnsafePointer<CChar>?,
        encoding: UnsafePointer<CChar>?, offset: UInt64, bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if offset == 0 {
            endPart()
            beginPart(text(name), filename: text(filename), contentType: text(contentType), encoding: text(encoding))
        }
        part?.bytes.append(contentsOf: bytes)
        valueBytes += bytes.count
        return refusal == nil
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer else { return nil }
        let text = String(validatingCString: pointer)
        if text == nil { refusal = Refusal(400, "malformed_text", PercentCoding.Fault.encoding.rawValue) }
        return text
    }

    private func beginPart(_ name: String?, filename: String?, contentType: String?, encoding: String?) {
        parts += 1
        if parts > maxParts {
            refusal = Refusal(413, "too_many_parts", "The form has more than \(maxParts) parts.")
        } else if let encoding, !["7bit", "8bit", "binary"].contains(encoding.lowercased()) {
            refusal = Refusal(415, "encoding_not_supported", "An encoded part is not taken.")
        } else if let name {
            part = Part(name: name, filename: filename, contentType: contentType)
        } else {
            refusal = .malformed("A part of the form has no name.")
        }
    }

    private func endPart() {
        guard let ended = part else { return }
        part = nil
        if let filename = ended.filename {
            // A file field that was left empty comes as a part without name and bytes.
            if filename.isEmpty, ended.bytes.isEmpty { return }
            form.append(
                Upload(name: ended.name, filename: filename, contentType: ended.contentType, bytes: ended.bytes))
        } else if ended.bytes.contains(0) {
            refusal = Refusal(400, "malformed_text", PercentCoding.Fault.control.rawValue)
        } else if let value = String(validating: ended.bytes, as: UTF8.self) {
            form.append(ended.name, value)
        } else {
            refusal = Refusal(400, "malformed_text", PercentCoding.Fault.encoding.rawValue)
        }
    }
}

/// Called by the post processor, inside `take` and `finish`.
private let takePiece: MHD_PostDataIterator = {
    context, _, name, filename, contentType, encoding, data, offset, size in
    guard let context else { return .NO }
    let reader = Unmanaged<MultipartReader>.fromOpaque(context).takeUnretainedValue()
    let bytes = UnsafeRawBufferPointer(start: data, count: size).bindMemory(to: UInt8.self)
    let isClaimed = reader.take(
        name: name, filename: filename, contentType: contentType, encoding: encoding, offset: offset, bytes: bytes)
    return isClaimed ? .YES : .NO
}
