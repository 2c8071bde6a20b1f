// The result of verifying the chain of audit events.

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

    /// How many events are archived; the chain continues from the hash of the last of them.
    package let archived: Int
    package let sealed: Int
    package let unsealed: Int
    package let broken: Break?
}
