// What every page shows around its own content: title, navigation, who is signed in, the last act's message.
import Domain

struct Frame: Encodable, Sendable {
    struct Link: Encodable, Sendable {
        let label: String
        let address: String
        let isHere: Bool
    }

    let title: String
    let environment: String
    let csrf: String
    let user: String?
    let role: String?
    let links: [Link]
    let flash: Flash?

    init(_ request: AdminRequest, title: String) {
        self.title = title
        environment = request.context.environment
        csrf = request.csrf
        user = request.session?.name
        role = request.session?.role.label
        flash = request.flash
        links = request.session.map { Frame.links(for: $0.role, at: request.request.path) } ?? []
    }

    private static func links(for role: Role, at path: String) -> [Link] {
        let all: [(String, String, Act)] = [
            ("Queue", "/queue", .readQueue), ("Entries", "/entries", .readQueue), ("Feeds", "/feeds", .readQueue),
            ("Categories", "/categories", .readQueue), ("Media", "/media", .readQueue),
            ("Routes", "/routes", .readQueue),
            ("Onboarding", "/onboarding", .readQueue), ("Texts", "/texts", .readQueue),
            ("Settings", "/settings", .readQueue),
            ("Releases", "/releases", .readQueue),
            ("Schedule", "/schedule", .readQueue), ("Publications", "/publications", .readQueue),
            ("Previews", "/previews", .readQueue),
            ("Webhooks", "/webhooks", .administer),
        ]
        return all.filter { role.may($0.2) }.map { label, address, _ in
            Link(label: label, address: address, isHere: path == address || path.hasPrefix(address + "/"))
        }
    }
}
