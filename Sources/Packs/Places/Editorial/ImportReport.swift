// The report of an import or its plan: counts, errors and changed rows.
import Domain
import Operations

package struct ImportLine: Sendable, Encodable {
    package enum State: String, Sendable, Encodable {
        case new, changed, unchanged, error
    }

    /// The location of the row in the file.
    package let location: String
    package let title: String
    package let state: State
    /// The labels of the fields that change.
    package let fields: [String]
    /// The error, or a note about the new version.
    package var message: String?
    /// The row was saved and approved, but a rule keeps its entry from being published.
    package var isBlocked = false
}

package struct ImportReport: Sendable, Encodable {
    package private(set) var new = 0
    package private(set) var changed = 0
    package private(set) var unchanged = 0
    package private(set) var errors = 0
    /// Rows that were saved and approved but not published, because a rule blocks their entries.
    package private(set) var blocked = 0
    /// The first rows with errors, and the first blocked ones.
    package private(set) var problems: [ImportLine] = []
    /// The first new or changed rows.
    package private(set) var changes: [ImportLine] = []
    /// Names that match no category, with the number of rows that use them.
    package private(set) var unknownCategories: [String: Int] = [:]
    /// Archived categories that rows name and were not assigned to, with the number of rows.
    package private(set) var archivedCategories: [String: Int] = [:]
    package var publications: [Int64] = []
    /// The release with the new and changed entries.
    package var release: Int64?

    package static let shown = 100

    package init() {}

    mutating func add(_ line: ImportLine) {
        switch line.state {
        case .new: new += 1
        case .changed: changed += 1
        case .unchanged: unchanged += 1
        case .error: errors += 1
        }
        if line.isBlocked { blocked += 1 }
        if line.state == .error || line.isBlocked {
            if problems.count < Self.shown { problems.append(line) }
        } else if line.state != .unchanged, changes.count < Self.shown {
            changes.append(line)
        }
    }

    mutating func add(_ categories: ImportReferences.Categories) {
        for name in categories.unknown { unknownCategories[name, default: 0] += 1 }
        for name in categories.archived { archivedCategories[name, default: 0] += 1 }
    }
}
