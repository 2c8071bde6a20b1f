// What a walk over the chain of audit events found.

package struct IntegrityReport: Sendable {
    /// The first place that is not as it was sealed.
    package struct Break: Sendable, Equatable, Encodable {
        /// Where it stands in the chain, from 1.
        package let position: Int
        /// The event; nil when the chain itself was changed there.
        package let event: Int?
        /// What happened to it: `changed`, `removed`, `added`; `chain` when it is not about an event.
        package let how: String
    }

    /// How many were sealed and left for files; the chain goes on from the hash of the last of them.
    package let archived: Int
    package let sealed: Int
    package let unsealed: Int
    package let broken: Break?
}
