// The entries that Seed/seed.sql creates in every deployment.
import Domain
import FoundationEssentials

package enum SeedEntry {
    package static let topicGroup = entry(0x11)
    package static let placeGroup = entry(0x12)
    /// The category of entries without another category.
    package static let unsorted = entry(0x13)

    private static func entry(_ number: UInt8) -> ID<Entry> {
        ID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, number)))
    }
}
