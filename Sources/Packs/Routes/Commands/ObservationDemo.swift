// Loads the observations of the demo content.
import CommandKit
import Domain
import Operations

enum ObservationDemo {
    private static let files: [(name: String, kind: ObservationKind)] = [
        ("air.csv", .air), ("obstructions.csv", .obstruction),
    ]

    static func load(
        _ services: Services, _ actor: Actor, _ read: (String) throws -> [UInt8]?
    ) async throws -> [String: Int] {
        var recorded = 0
        for (name, kind) in files {
            guard let bytes = try read(name) else { continue }
            var options = ImportObservations.Options()
            options.source = "demo"
            let chunks = FileChunks(name, bytes: bytes)
            recorded += try await services.importObservations(
                kind, isJSON: false, options, by: actor, next: { try chunks.next() }
            ).recorded
        }
        return ["observations": recorded]
    }
}
