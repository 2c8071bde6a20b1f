// How much random input a test tries: a tenth with fixed seeds by default; all of it and a fresh seed in `make journeys`.
import FoundationEssentials

package enum RandomRuns {
    /// Of a sequence of inputs every one, or every tenth.
    package static let step = ProcessInfo.processInfo.environment["VITRINE_TESTS"] == "all" ? 1 : 10

    package static func count(_ all: Int) -> Int { (all + step - 1) / step }

    /// The first seed by default; in `make journeys` all, and one that no run had before. A failure names the seed.
    package static func seeds<Seed: FixedWidthInteger>(_ all: Seed...) -> [Seed] {
        step == 1 ? all + [Seed(UInt16.random(in: .min ... .max))] : Array(all.prefix(1))
    }
}
