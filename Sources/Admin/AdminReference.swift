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
                    "`\(permission.rawValue)` | \(Role.presets.first { $0.may(permission) }?.label ?? "nobody")"
                }
            let scope =
                switch endpoint.scope {
                case .none: ""
                case .own: "own"
                case .filtered: "filtered"
                case .submission(let name): "submission `{\(name)}`"
                case .entry(let name): "entry `{\(name)}`"
                case .reportCase(let name): "report case `{\(name)}`"
                case .image(let name): "image `{\(name)}`"
                case .release(let name): "release `{\(name)}`"
                case .bulkAction(let name): "bulk action `{\(name)}`"
                case .type(let name): "type `\(name)`"
                case .operation: "operation"
                case .unrestricted: "unrestricted"
                }
            return "| \(endpoint.method) | `\(endpoint.pattern)` | \(access) | \(scope) |\n"
        }
        return """
            # Pages and forms of the admin

            Every URL of the admin, with the permission it needs and the first preset role that has it. A preset has the permissions
            of those before it: \(Role.presets.map { $0.label.lowercased() }.joined(separator: ", ")). A team's own
            [roles](../how-to/manage-accounts.md#define-a-role) have the permissions that they were given. Forms need a CSRF token
            and the same origin. API clients use the [API](api.md) instead. A signed-in person who opens the URL of a form without a page
            of its own, such as after an error, is redirected to the nearest page above it.

            The last column says how an endpoint respects the [access scope](../glossary.md) of a restricted account:

            - filtered: it shows only what is in the scope
            - submission, entry, release and so on: it refuses the one of this parameter if it contains anything outside the scope
            - type: it refuses accounts whose scope excludes this content type
            - operation: the operation refuses content outside the scope
            - own: it concerns only the signed-in account
            - unrestricted: it refuses accounts with an access scope
            - empty: it shows and changes nothing that a scope restricts

            ## Limits of unsaved text

            `POST /autosaves` saves what somebody types into a form: up to \(AutosaveStore.maxBytes >> 20) MiB for a form, and up to \(AutosaveStore.limit) texts
            and \(AutosaveStore.totalBytes >> 20) MiB for an account. A longer text gets status 422. One text too many gets 409 with the code
            `too_many_texts`, and the page says that it is not saved; stored texts stay. Each is deleted 30 days after its last change.

            ## Endpoints

            Written by `vitrine dev admin-endpoints`.

            | method | path | permission | first preset | access scope |
            |---|---|---|---|---|

            """ + rows.joined()
    }
}
