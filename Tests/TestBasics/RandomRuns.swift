// How much random input a test tries: a tenth by default, all of it in `make journeys`.
import FoundationEssentials

package enum RandomRuns {
    /// Of a sequence of inputs every one, or every tenth.
    package static let step = ProcessInfo.processInfo.environment["VITRINE_TESTS"] == "all" ? 1 : 10

    package static func count(_ all: Int) -> Int { (all + step - 1) / step }

    /// All seeds of a test that takes seconds for each, or the first.
    package static func seeds<Seed>(_ all: Seed...) -> [Seed] { step == 1 ? all : Array(all.prefix(1)) }
}
