// The operators of a search for submissions, explained: each with an example and what it finds.
import Domain
import Localization

struct SearchOperators: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let example: String
        let meaning: String
    }

    let lines: [Line]

    init() {
        lines = SubmissionSearch.Operator.allCases.map { Line(example: Self.example($0), meaning: Self.meaning($0)) }
    }

    private static func example(_ name: SubmissionSearch.Operator) -> String {
        switch name {
        case .source: "source:\"City portal\""
        case .by: "by:okafor"
        case .domain: "domain:example.org"
        case .risk: "risk:high risk:>=40"
        case .type: "type:article"
        case .category: "category:Walks"
        case .priority: "priority:urgent"
        case .state: "is:rejected"
        case .age: "age:>3d age:<24h"
        }
    }

    private static func meaning(_ name: SubmissionSearch.Operator) -> String {
        switch name {
        case .source: tr("The API client, import or form; part of its name is enough.")
        case .by: tr("The contributor: the beginning of a name, or the whole email address.")
        case .domain: tr("A link to this domain or to one below it.")
        case .risk: tr("The risk level low, medium or high, or points.")
        case .type: tr("The content type.")
        case .category: tr("The suggested category.")
        case .priority: tr("The priority; only of pending submissions.")
        case .state:
            tr("The state: \(SubmissionSearch.State.allCases.map(\.rawValue).joined(separator: ", ")).")
        case .age: tr("Time since receipt, in hours, days or weeks (h, d, w).")
        }
    }
}
