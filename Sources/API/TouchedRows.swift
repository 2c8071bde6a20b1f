// Knows which publication last changed each read table and row, and so which kept responses are current.
import Domain
import Store

struct TouchedRows: Sendable {
    private struct Row: Hashable, Sendable {
        let table: String
        let key: String
    }

    /// Beyond this many rows, those so far are forgotten, and their tables count.
    static let maxRows = 20_000

    /// All changes up to this position are known; nil at first.
    private(set) var position: ChangePosition?
    /// Incremented when changes are not known any more: all that was kept before may be outdated.
    private(set) var epoch = 0
    private var tables: [String: Int64] = [:]
    private var rows: [Row: Int64] = [:]
    /// Rows are complete since this publication.
    private var rowsSince: Int64 = 0

    mutating func add(_ found: ChangedRows) {
        position = found.position
        guard let changes = found.changes else {
            epoch += 1
            tables = [:]
            rows = [:]
            rowsSince = 0
            return
        }
        if rows.count + changes.count > Self.maxRows {
            rows = [:]
            rowsSince = found.position.seen.number
        }
        for change in changes {
            tables[change.table] = change.publication
            if change.publication > rowsSince {
                rows[Row(table: change.table, key: change.key)] = change.publication
            }
        }
    }

    /// Whether a response that was current at an earlier publication of this epoch still is. `key` is that of its row.
    func isCurrent(_ keeping: APIEndpoint.Keeping, key: String?, since publication: Int64) -> Bool {
        switch keeping {
        case .never: return false
        case .untilChange(let names):
            return names.allSatisfy { tables[$0, default: 0] <= publication }
        case .untilChangeOfRow(let names):
            guard let key, publication >= rowsSince else {
                return names.allSatisfy { tables[$0, default: 0] <= publication }
            }
            return names.allSatisfy { rows[Row(table: $0, key: key), default: 0] <= publication }
        }
    }
}
