// What an import would do or did, row by row and in numbers.
import Domain

package struct ImportLine: Sendable, Encodable {
    package enum State: String, Sendable, Encodable {
        case new, changed, same, error
    }

    /// Where the row stands in the file.
    package let place: String
    package let title: String
    package let state: State
    /// The labels of the fields that change.
    package let fields: [String]
    /// Of an error, or of what was left out.
    package let message: String?
}

package struct ImportReport: Sendable, Encodable {
    package private(set) var new = 0
    package private(set) var changed = 0
    package private(set) var same = 0
    package private(set) var errors = 0
    /// The first rows with errors.
    package private(set) var problems: [ImportLine] = []
    /// The first rows that are new or change.
    package private(set) var changes: [ImportLine] = []
    /// Words that name no category, with how often they came.
    package private(set) var unknownCategories: [String: Int] = [:]
    package var publications: [Int64] = []
    /// The release that holds what is new or changed.
    package var release: Int64?

    package static let shown = 100

    package init() {}

    mutating func add(_ line: ImportLine) {
        switch line.state {
        case .new: new += 1
        case .changed: changed += 1
        case .same: same += 1
        case .error: errors += 1
        }
        if line.state == .error {
            if problems.count < Self.shown { problems.append(line) }
        } else if line.state != .same, changes.count < Self.shown {
            changes.append(line)
        }
    }

    mutating func addUnknown(_ words: [String]) {
        for word in words { unknownCategories[word, default: 0] += 1 }
    }
}
