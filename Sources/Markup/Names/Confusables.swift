// Wraps ICU: confusable letters and mixed scripts (UTS 39), and Punycode of hosts (UTS 46).

import CICU

/// If ICU fails, text counts as suspicious and a host as invalid.
enum Confusables {
    /// Whether a word mixes scripts that are not used together, such as Latin and Cyrillic.
    static func areMixed(_ word: String) -> Bool {
        isSuspicious(word, by: words)
    }

    /// Also true for letters that are not recommended in host names.
    static func areMixed(inHost label: String) -> Bool {
        isSuspicious(label, by: hosts)
    }

    /// Whether a non-ASCII word reads as ASCII. Ignores `æ` and `œ`, which are common letters and not confused with
    /// two.
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

    /// The host in Punycode, mapped like a browser; nil if it is not a host.
    static func ascii(ofHost host: String) -> String? {
        idna.pointer.flatMap { idna in written(host) { vitrine_host_ascii(idna, $0, $1, $2, $3) } }
    }

    /// The host in Unicode.
    static func unicode(ofHost host: String) -> String? {
        idna.pointer.flatMap { idna in written(host) { vitrine_host_unicode(idna, $0, $1, $2, $3) } }
    }

    /// An ICU object that is immutable after creation.
    private struct Shared: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    private static let words = Shared(pointer: vitrine_spoof_checker(0))
    private static let hosts = Shared(pointer: vitrine_spoof_checker(1))
    private static let idna = Shared(pointer: vitrine_idna())

    private static func isSuspicious(_ text: String, by checker: Shared) -> Bool {
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
        // The skeleton can be longer than the text; longer output than this does not occur in readable text.
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
