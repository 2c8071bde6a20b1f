// The names of time zones: their form, and what browsers call them.

package enum ZoneName {
    /// The zone of people who have none.
    package static let standard = "UTC"

    /// Parts of ASCII letters, digits, `_`, `+` and `-`, separated by slashes, like all IANA names.
    package static func hasForm(_ zone: String) -> Bool {
        guard (1...64).contains(zone.utf8.count) else { return false }
        return zone.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            guard let first = part.first, first.isASCIILetter else { return false }
            return part.allSatisfy { byte in
                byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "+")
            }
        }
    }

    /// The current name of a zone. Browsers keep names that were replaced long ago, which systems may not have.
    package static func current(_ name: String) -> String { replaced[name] ?? name }

    private static let replaced = [
        "Africa/Asmera": "Africa/Asmara", "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
        "America/Catamarca": "America/Argentina/Catamarca", "America/Coral_Harbour": "America/Atikokan",
        "America/Cordoba": "America/Argentina/Cordoba", "America/Godthab": "America/Nuuk",
        "America/Indianapolis": "America/Indiana/Indianapolis", "America/Jujuy": "America/Argentina/Jujuy",
        "America/Louisville": "America/Kentucky/Louisville", "America/Mendoza": "America/Argentina/Mendoza",
        "Asia/Calcutta": "Asia/Kolkata", "Asia/Katmandu": "Asia/Kathmandu", "Asia/Rangoon": "Asia/Yangon",
        "Asia/Saigon": "Asia/Ho_Chi_Minh", "Atlantic/Faeroe": "Atlantic/Faroe", "Etc/GMT": "UTC", "Etc/UTC": "UTC",
        "Europe/Kiev": "Europe/Kyiv", "Pacific/Enderbury": "Pacific/Kanton", "Pacific/Ponape": "Pacific/Pohnpei",
        "Pacific/Truk": "Pacific/Chuuk",
    ]
}
