// The result of verifying the chain of audit events, and that changes and events belong together.

package struct IntegrityReport: Sendable {
    /// The first position whose content differs from what was sealed.
    package struct Break: Sendable, Equatable, Encodable {
        /// Its position in the chain, from 1.
        package let position: Int
        /// The event; nil when the chain itself was modified there.
        package let event: Int?
        /// What happened to the event: `changed`, `removed`, `added`; `chain` when no single event is affected.
        package let problem: String
    }

    /// A change without an audit event of its author, or an event that changed nothing although its action always does.
    package struct Unpaired: Sendable, Equatable, Encodable {
        /// `no_event` for a change, `no_change` for an event.
        package let problem: String
        /// Of a table that was changed without any event, its name, such as `ops.role`.
        package let objectType: String
        /// Nil for objects with a number, and for tables.
        package let objectID: String?
        /// Nil for a change.
        package let event: Int?
    }

    /// How many events are archived; the chain continues from the hash of the last of them.
    package private(set) var archived: Int
    /// The positions of the chain that were verified: those after `after`, up to `until`.
    package private(set) var after: Int
    package let until: Int
    /// How many sealed events they have.
    package private(set) var sealed: Int
    package let unsealed: Int
    package private(set) var broken: Break?
    /// At most `unpairedLimit`.
    package internal(set) var unpaired: [Unpaired] = []

    package static let unpairedLimit = 100
    /// How many events are verified at a time.
    package static let pageEvents = 10_000

    package var isIntact: Bool { broken == nil && unpaired.isEmpty }

    /// Where the events before these end, unless they are archived.
    package var previous: Int? { after > archived ? after : nil }

    /// Adds what was found in the events before these, of which some, and even some of these, may be archived by now.
    mutating func prepend(_ earlier: IntegrityReport) {
        archived = earlier.archived
        after = min(after, earlier.after)
        sealed += earlier.sealed
        broken = earlier.broken ?? broken
        unpaired += earlier.unpaired
    }
}
