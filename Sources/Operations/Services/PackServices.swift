// What the enabled packs bring for their pages and endpoints.

package struct PackServices: Sendable {
    private let all: [any Sendable]

    package static let none = PackServices([])

    package init(_ all: [any Sendable]) { self.all = all }

    /// Each pack finds its own by the type; nil if the pack is not enabled.
    package func find<Service>(_ type: Service.Type) -> Service? { all.lazy.compactMap { $0 as? Service }.first }
}
