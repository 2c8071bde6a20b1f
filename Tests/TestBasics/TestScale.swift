// How much of its input a test tries: a part of it with fixed seeds by default; all of it and a fresh seed in `make journeys`.
import FoundationEssentials

package enum TestScale {
    package static let isFull = ProcessInfo.processInfo.environment["VITRINE_TESTS"] == "all"

    /// Of a sequence of random inputs every one, or every tenth.
    package static let step = isFull ? 1 : 10

    package static func count(_ all: Int) -> Int { (all + step - 1) / step }

    /// All, or one of so many, beginning with the one at `offset`: for inputs that each take long.
    package static func sample<Element>(_ all: [Element], every: Int = 4, offset: Int = 0) -> [Element] {
        isFull ? all : stride(from: offset % every, to: all.count, by: every).map { all[$0] }
    }

    /// The first seed by default; in `make journeys` all, and one that no run had before. A failure names the seed.
    package static func seeds<Seed: FixedWidthInteger>(_ all: Seed...) -> [Seed] {
        isFull ? all + [Seed(UInt16.random(in: .min ... .max))] : Array(all.prefix(1))
    }
}
