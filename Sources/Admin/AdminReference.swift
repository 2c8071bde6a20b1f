// Describes the endpoints of the admin in Markdown.
import Domain

extension AdminSite {
    /// The text of docs/reference/admin.md.
    package static var reference: String {
        let rows = endpoints.map { endpoint in
            let access =
                switch endpoint.access {
                case .anyone: "everyone |"
                case .may(let permission):
                    "`\(permission.rawValue)` | \(Role.allCases.first { $0.may(permission) }?.label ?? "nobody")"
                }
            return "| \(endpoint.method) | `\(endpoint.pattern)` | \(access) |\n"
        }
        return """
            # Pages and forms of the admin

            Every URL of the admin, with the permission it needs and the lowest role that has it. A role has the permissions of the
            roles before it: \(Role.allCases.map { $0.label.lowercased() }.joined(separator: ", ")). People with an access scope
            see and change only the types and category groups in it. Forms need a CSRF token and the same origin. API clients use
            the [API](api.md) instead. Written by `vitrine dev admin-endpoints`.

            | method | path | permission | lowest role |
            |---|---|---|---|

            """ + rows.joined()
    }
}
