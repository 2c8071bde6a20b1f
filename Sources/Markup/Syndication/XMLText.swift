// Writes an XML document with libxml2, which escapes text; closes open elements.
import CXML2

/// Drops characters that XML does not allow.
struct XMLText {
    private let buffer: xmlBufferPtr
    private let writer: xmlTextWriterPtr

    /// The bytes of the document (UTF-8 with declaration); empty if out of memory.
    static func document(_ write: (XMLText) -> Void) -> [UInt8] {
        guard let buffer = xmlBufferCreate() else { return [] }
        defer { xmlBufferFree(buffer) }
        guard let writer = xmlNewTextWriterMemory(buffer, 0) else { return [] }
        xmlTextWriterStartDocument(writer, nil, "UTF-8", nil)
        write(XMLText(buffer: buffer, writer: writer))
        xmlTextWriterEndDocument(writer)
        // The buffer is complete only after the writer is freed.
        xmlFreeTextWriter(writer)
        guard let start = xmlBufferContent(buffer) else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: Int(xmlBufferLength(buffer))))
    }

    /// An element with the content that `inside` writes.
    func element(_ name: String, _ attributes: [(String, String)] = [], _ inside: () -> Void = {}) {
        xmlTextWriterStartElement(writer, name)
        for (name, value) in attributes { xmlTextWriterWriteAttribute(writer, name, Self.clean(value)) }
        inside()
        xmlTextWriterEndElement(writer)
    }

    /// An element with text; nothing without text.
    func element(_ name: String, _ attributes: [(String, String)] = [], text: String?) {
        guard let text else { return }
        element(name, attributes) { xmlTextWriterWriteString(writer, Self.clean(text)) }
    }

    private static func clean(_ text: String) -> String {
        let isClean = text.unicodeScalars.allSatisfy(isAllowed)
        return isClean ? text : String(String.UnicodeScalarView(text.unicodeScalars.filter(isAllowed)))
    }

    /// `Char` of XML 1.0.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...: true
        default: false
        }
    }
}
