// Maps international host names to ASCII as browsers do (UTS 46, nontransitional), by ICU.
import CICU

enum InternationalName {
    /// In lowercase; nil if the name is invalid: joiners between letters that don't need them, marks at the beginning,
    /// mixed directions, hyphens at the ends of a label, labels that are too long. It may have other characters that
    /// hosts can't have.
    static func ascii(_ name: Substring) -> String? {
        guard let converter = idna.pointer, !name.isEmpty else { return nil }
        var name = String(name)
        return name.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { input in
                withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { output in
                    let length = vitrine_host_ascii(
                        converter, input.baseAddress, Int32(input.count), output.baseAddress, Int32(capacity))
                    guard length > 0, length <= capacity else { return nil }
                    return String(decoding: output[..<Int(length)].map(UInt8.init(bitPattern:)), as: UTF8.self)
                }
            }
        }
    }

    /// No name is longer than 254 bytes, with a dot at its end.
    private static let capacity = 256

    /// An ICU object that is immutable after creation.
    private struct Shared: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    private static let idna = Shared(pointer: vitrine_idna())
}
