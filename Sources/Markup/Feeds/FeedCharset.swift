// The supported encodings of feeds and their conversion to UTF-8.

import CXML2

enum FeedCharset {
    /// The iconv name of a label; nil if it is not supported. Labels are untrusted, so only names of this list reach
    /// iconv.
    /// Labels that are usually wrong map to the superset in real use.
    static func name(_ label: String) -> String? {
        let label = label.lowercased()
        if let name = supersets[label] { return name }
        return same.contains(label) ? label.uppercased() : nil
    }

    private static let supersets: [String: String] = [
        "utf-8": "UTF-8", "utf8": "UTF-8", "unicode-1-1-utf-8": "UTF-8",
        "utf-16": "UTF-16LE", "utf16": "UTF-16LE", "ucs-2": "UTF-16LE", "iso-10646-ucs-2": "UTF-16LE",
        "us-ascii": "CP1252", "ascii": "CP1252", "iso-8859-1": "CP1252", "iso8859-1": "CP1252", "latin1": "CP1252",
        "latin-1": "CP1252", "iso_8859-1": "CP1252", "iso8859-15": "ISO-8859-15", "iso8859-2": "ISO-8859-2",
        "iso-8859-9": "CP1254", "windows-874": "CP874", "tis-620": "CP874", "iso-8859-11": "CP874",
        "windows-1250": "CP1250", "windows-1251": "CP1251", "windows-1252": "CP1252", "windows-1253": "CP1253",
        "windows-1254": "CP1254", "windows-1255": "CP1255", "windows-1256": "CP1256", "windows-1257": "CP1257",
        "windows-1258": "CP1258", "koi8": "KOI8-R", "gb2312": "GB18030", "gbk": "GB18030", "x-gbk": "GB18030",
        "big5": "BIG5-HKSCS", "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932", "x-sjis": "CP932",
        "windows-31j": "CP932", "ks_c_5601-1987": "CP949", "euc-kr": "CP949",
    ]

    private static let same: Set<String> = [
        "utf-16le", "utf-16be", "utf-32le", "utf-32be", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5",
        "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15",
        "iso-8859-16", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp866", "ibm866", "koi8-r", "koi8-u",
        "macintosh", "gb18030", "euc-jp", "iso-2022-jp",
    ]

    /// With more invalid bytes, the text is not in this encoding.
    private static let tolerated = 1_000

    /// The bytes as UTF-8 and the number of replacements by U+FFFD; nil if there are too many.
    static func convert(_ bytes: ArraySlice<UInt8>, from name: String) -> (utf8: [UInt8], replaced: Int)? {
        guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        let unit = name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1
        var utf8: [UInt8] = []
        utf8.reserveCapacity(bytes.count + bytes.count / 2)
        var replaced = 0
        var source = bytes.map { CChar(bitPattern: $0) }
        var room = [CChar](repeating: 0, count: 64 * 1024)
        source.withUnsafeMutableBufferPointer { source in
            var from = source.baseAddress
            var left = source.count
            while left > 0, replaced <= tolerated {
                let failure = room.withUnsafeMutableBufferPointer { room in
                    var to = room.baseAddress
                    var free = room.count
                    let result = iconv(converter, &from, &left, &to, &free)
                    let reason = result == -1 ? xml2_errno() : 0
                    utf8.append(contentsOf: room.prefix(room.count - free).lazy.map { UInt8(bitPattern: $0) })
                    return reason
                }
                guard failure != 0, failure != E2BIG else { continue }
                // An invalid byte, or a character truncated at the end.
                utf8.append(contentsOf: [0xEF, 0xBF, 0xBD])
                replaced += 1
                let skipped = failure == EINVAL ? left : min(unit, left)
                from = from?.advanced(by: skipped)
                left -= skipped
            }
        }
        return replaced <= tolerated ? (utf8, replaced) : nil
    }
}
