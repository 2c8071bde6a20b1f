// The entries that every deployment starts with (Seed/seed.sql).
import Domain
import FoundationEssentials

package enum SeedEntry {
    package static let topicGroup = entry(0x11)
    package static let placeGroup = entry(0x12)
    /// The category of what nobody has sorted yet.
    package static let unsorted = entry(0x13)

    private static func entry(_ number: UInt8) -> ID<Entry> {
        ID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, number)))
    }
}
