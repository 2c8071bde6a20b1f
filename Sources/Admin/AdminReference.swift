// Describes the endpoints of the admin in Markdown.
import Domain
import Store

extension AdminSite {
    /// The text of docs/reference/admin.md.
    package static func reference(_ packs: PackSet) -> String {
        let rows = endpoints(packs).map { endpoint in
            let access =
                switch endpoint.access {
                case .anyone: "everyone |"
                case .may(let permission):
                    "`\(permission.rawValue)` | \(Role.allCases.first { $0.may(permission) }?.label ?? "nobody")"
                }
            let scope =
                switch endpoint.scope {
                case .none: ""
                case .own: "own"
                case .filtered: "filtered"
                case .submission(let name): "submission `{\(name)}`"
                case .entry(let name): "entry `{\(name)}`"
                case .operation: "operation"
                }
            return "| \(endpoint.method) | `\(endpoint.pattern)` | \(access) | \(scope) |\n"
        }
        return """
            # Pages and forms of the admin

            Every URL of the admin, with the permission it needs and the lowest role that has it. A role has the permissions of the
            roles before it: \(Role.allCases.map { $0.label.lowercased() }.joined(separator: ", ")). Forms need a CSRF token and the
            same origin. API clients use the [API](api.md) instead.

            The last column says how an endpoint respects the [access scope](../glossary.md) of a restricted account:

            - filtered: it shows only what is in the scope
            - submission, entry: it refuses the one of this parameter if it is outside the scope
            - operation: the operation refuses content outside the scope
            - own: it concerns only the signed-in account
            - empty: it shows and changes nothing that a scope restricts

            Written by `vitrine dev admin-endpoints`.

            | method | path | permission | lowest role | access scope |
            |---|---|---|---|---|

            """ + rows.joined()
    }
}
