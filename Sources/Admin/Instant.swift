// A moment as pages show it: for people, for machines, and how far from now it is.
import FoundationEssentials
import Platform

struct Instant: Encodable, Sendable {
    /// `2026-11-20 18:00 UTC`
    let text: String
    /// For the attribute `datetime`.
    let machine: String
    /// `2 h ago` or `in 3 d`
    let distance: String

    init(_ date: Date, now: Date = Date()) {
        machine = InstantText.text(date, milliseconds: false)
        let parts = machine.split(whereSeparator: { $0 == "T" || $0 == "Z" })
        text = "\(parts[0]) \(parts[1].prefix(5)) UTC"
        distance = date > now ? "in \(Age.text(since: now, now: date))" : "\(Age.text(since: date, now: now)) ago"
    }
}
