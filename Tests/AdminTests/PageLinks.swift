// Finds the endpoint of every link, form and image of a page.
@testable import Admin
import Domain
import HTTP
import TestSupport

struct PageLinks {
    /// What a page requests: GET for links and images, the method of the form for forms.
    struct Use: Hashable {
        let method: String
        let url: String
    }

    let uses: Set<Use>

    init(_ page: BrowserPage) {
        var uses = Set(page.links.map { Use(method: "GET", url: $0.url) })
        uses.formUnion(page.forms.map { Use(method: $0.method, url: $0.action) })
        for (attribute, url) in page.requests {
            let method = ["formaction", "data-renew"].contains(attribute) ? "POST" : "GET"
            uses.insert(Use(method: method, url: url))
        }
        self.uses = uses.filter { use in
            // Other sites, this page, and files that are no endpoints.
            let isElsewhere = ["https://", "http://", "mailto:", "data:", "/static/"].contains { use.url.hasPrefix($0) }
            let isFile =
                use.url.hasPrefix("/media/") && use.url.dropFirst("/media/".count).prefix { $0 != "/" }.count == 2
            return !isElsewhere && !isFile && !"#?".contains(use.url.prefix(1))
        }
    }

    private static let router = AdminSite.router(TestDatabase.packs)

    /// The endpoint; nil if there is none.
    static func endpoint(_ use: Use) -> AdminEndpoint? {
        let path = use.url.prefix { $0 != "?" && $0 != "#" }
        guard let decoded = try? PercentCoding.decode(path.utf8, plusIsSpace: false),
            case .found(let endpoint, _) = router.match(use.method, decoded)
        else { return nil }
        return endpoint
    }

    var unresolved: [String] { uses.filter { Self.endpoint($0) == nil }.map { "\($0.method) \($0.url)" } }
}
