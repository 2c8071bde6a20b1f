// Numbers requests so that an id is unique within a process, cheap to make and unlikely to meet that of another.

/// Hands out request numbers; used by one thread only.
struct RequestID {
    private var last = UInt64.random(in: .min ... .max)

    /// A number that looks random and does not come again: a bijection (SplitMix64) of a counter.
    mutating func next() -> UInt64 {
        last &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (last ^ (last >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Five bits to a letter, so that the text fits into a small string.
    static func text(_ number: UInt64) -> String {
        let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"
        return String(unsafeUninitializedCapacity: 13) { letters in
            for index in 0..<13 {
                letters[index] = alphabet.utf8Start[Int(number >> UInt64(60 - 5 * index) & 31)]
            }
            return 13
        }
    }
}
