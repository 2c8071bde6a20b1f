// The feeds and categories that the Discover page features (A20).
import Store

enum DiscoverEndpoints {
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        .page(try await read.reads.discover.page(cursor: read.cursor))
    }
}
