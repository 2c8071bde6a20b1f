// Removes the white space between the tokens of JSON, which PostgreSQL writes around colons and after commas.
import Glibc

enum CompactJSON {
    /// The same JSON without white space outside strings. Strings are skipped as wholes: most of a document is strings.
    static func bytes(_ json: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: json.count) { output, count in
            json.withUnsafeBufferPointer { input in
                guard let source = input.baseAddress, let target = output.baseAddress else { return }
                var read = 0
                while read < input.count {
                    let byte = source[read]
                    if byte == UInt8(ascii: "\"") {
                        let length = stringLength(source + read, input.count - read)
                        memcpy(target + count, source + read, length)
                        read += length
                        count += length
                    } else {
                        if byte > 0x20 {
                            target[count] = byte
                            count += 1
                        }
                        read += 1
                    }
                }
            }
        }
    }

    /// The length of the string that starts here, with its quotes; all that is left of one without an end.
    private static func stringLength(_ start: UnsafePointer<UInt8>, _ limit: Int) -> Int {
        var length = 1
        while length < limit, let quote = memchr(start + length, Int32(UInt8(ascii: "\"")), limit - length) {
            length = UnsafeRawPointer(quote) - UnsafeRawPointer(start) + 1
            // A quote after an odd number of backslashes is part of the string.
            var before = length - 2
            while before > 0, start[before] == UInt8(ascii: "\\") { before -= 1 }
            if (length - 2 - before) % 2 == 0 { return length }
        }
        return limit
    }
}
