// How large the parts of a feed document may be.

package enum FeedLimits {
    package static let documentBytes = 8 * 1024 * 1024
    package static let entries = 10_000
    /// libxml2 drops the rest of a document at 256 without saying so: stay below.
    package static let depth = 200
    /// libxml2 compares each attribute of an element with each other one.
    package static let attributes = 128
    /// Namespace declarations in scope at one place: libxml2 searches them one by one for each prefix.
    package static let namespaces = 256
    package static let elements = 250_000
    package static let jsonDepth = 64
    /// Bytes of UTF-8; an entry with a longer body refuses the document, for a body cut somewhere would be wrong.
    package static let htmlBytes = 1024 * 1024
    /// Longer ones are cut.
    package static let titleCharacters = 500
    package static let summaryCharacters = 5_000
    package static let nameCharacters = 200
    /// Further ones are left out.
    package static let categories = 100
    package static let media = 100
    /// Bytes; longer addresses and ids are not taken.
    package static let addressBytes = 4_096
    package static let idBytes = 2_048
}
