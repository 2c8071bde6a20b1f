// Asks ICU which letters look like others and which are not written together (UTS 39), and how a host is spelt in DNS (UTS 46).

import CICU

/// Where ICU cannot answer, a text is taken for doubtful and a host for none: nobody is told that all is well.
enum Confusables {
    /// Letters of scripts that nobody writes in one word, such as Latin and Cyrillic.
    static func areMixed(_ word: String) -> Bool {
        isDoubtful(word, by: words)
    }

    /// Or letters that no name of a host needs.
    static func areMixed(inHost label: String) -> Bool {
        isDoubtful(label, by: hosts)
    }

    /// Reads as ASCII, and is not. `æ` and `œ` are letters of languages, and nobody takes them for two.
    static func lookLikeASCII(_ word: String) -> Bool {
        let rest = word.unicodeScalars.filter { $0 != "æ" && $0 != "œ" }
        let text = String(String.UnicodeScalarView(rest))
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        guard let checker = words.pointer else { return true }
        let skeleton = written(text) { vitrine_skeleton(checker, $0, $1, $2, $3) }
        return skeleton?.utf8.allSatisfy { $0 < 0x80 } ?? true
    }

    static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        vitrine_is_latin(scalar.value) != 0
    }

    /// In DNS's spelling, as a browser maps it; nil for what is no host.
    static func ascii(ofHost host: String) -> String? {
        idna.pointer.flatMap { idna in written(host) { vitrine_host_ascii(idna, $0, $1, $2, $3) } }
    }

    /// In people's spelling.
    static func unicode(ofHost host: String) -> String? {
        idna.pointer.flatMap { idna in written(host) { vitrine_host_unicode(idna, $0, $1, $2, $3) } }
    }

    /// What ICU made once, and only reads from then on.
    private struct Shared: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    private static let words = Shared(pointer: vitrine_spoof_checker(0))
    private static let hosts = Shared(pointer: vitrine_spoof_checker(1))
    private static let idna = Shared(pointer: vitrine_idna())

    private static func isDoubtful(_ text: String, by checker: Shared) -> Bool {
        guard let pointer = checker.pointer else { return true }
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                vitrine_is_mixed(pointer, $0.baseAddress, Int32($0.count)) != 0
            }
        }
    }

    private static func written(
        _ text: String, _ write: (UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<CChar>?, Int32) -> Int32
    ) -> String? {
        var text = text
        // A letter may look like several; what grows beyond that is nothing that people would read.
        let capacity = text.utf8.count * 8 + 64
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { input in
                withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { output in
                    let length = write(input.baseAddress, Int32(input.count), output.baseAddress, Int32(capacity))
                    guard length >= 0, length <= capacity else { return nil }
                    return String(decoding: output[..<Int(length)].map(UInt8.init(bitPattern:)), as: UTF8.self)
                }
            }
        }
    }
}
