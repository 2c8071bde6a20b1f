// Marks suites and tests that need a pack: they are skipped where `TestDatabase.packs` is without it.
import Testing

package enum TestPack: String {
    case places, routes, lists

    package var isEnabled: Bool { TestDatabase.packs.contains(rawValue) }

    /// What a list has of this pack: empty when it is not enabled.
    package func ifEnabled<Element>(_ elements: [Element]) -> [Element] { isEnabled ? elements : [] }
}

extension Trait where Self == ConditionTrait {
    /// For tests of what these packs add, and for tests whose content is of these packs. All others pass without any.
    package static func packs(_ needed: TestPack...) -> ConditionTrait {
        let names = needed.map(\.rawValue).joined(separator: ", ")
        return .enabled(if: needed.allSatisfy(\.isEnabled), "needs the pack \(names)")
    }

    /// For comparisons with a list of everything that a deployment can have.
    package static var allPacks: ConditionTrait { .packs(.places, .routes, .lists) }
}
