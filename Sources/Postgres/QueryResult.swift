// What one statement gave back.
import CPostgres
import Glibc
import Synchronization

/// The result of one statement: its rows and the number of rows it touched.
package struct QueryResult: Sendable {
    let results: ResultSet

    package var rows: [Row] { (0..<results.count).map { Row(results: results, index: $0) } }

    /// Rows that were inserted, updated, deleted or selected; 0 for other statements.
    package var affected: Int { Int(String(cString: PQcmdTuples(results.result))) ?? 0 }

    /// The command tag, say `INSERT 0 1` or `COMMIT`.
    package var tag: String { String(cString: PQcmdStatus(results.result)) }
}

/// Owns libpq's result; its rows read from it on demand.
final class ResultSet: @unchecked Sendable {
    // Never changed after it was received, so that any thread may read it.
    let result: OpaquePointer
    let count: Int32
    let columnCount: Int32
    /// Columns are mostly read in their order: the search for a name begins after the last one found.
    private let hint = Atomic<Int32>(0)

    init(_ result: OpaquePointer) {
        self.result = result
        count = PQntuples(result)
        columnCount = PQnfields(result)
    }

    deinit {
        PQclear(result)
    }

    func column(named name: String) -> Int32? {
        guard columnCount > 0 else { return nil }
        let start = hint.load(ordering: .relaxed)
        return name.withCString { name in
            for step in 0..<columnCount {
                let column = (start + step) % columnCount
                if let candidate = PQfname(result, column), strcmp(candidate, name) == 0 {
                    hint.store((column + 1) % columnCount, ordering: .relaxed)
                    return column
                }
            }
            return nil
        }
    }

    var columnNames: [String] {
        (0..<columnCount).map { PQfname(result, $0).map { String(cString: $0) } ?? "" }
    }
}
