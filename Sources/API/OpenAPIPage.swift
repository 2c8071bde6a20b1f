// The API documentation: every endpoint with its parameters and an example response, on one page without scripts.
import Domain
import FoundationEssentials
import HTTP
import Markup
import Platform

enum OpenAPIPage {
    static let type = "text/html; charset=utf-8"

    /// `GET /openapi`
    static func respond(_ call: APICall) async throws -> Response {
        var response = Response(
            call.request, call.site.headers.preview, type: type, body: Array(page(call.site).utf8))
        response.headers.append("Content-Security-Policy", policy)
        return response
    }

    /// Allows only the inline style of the page, by its hash.
    private static let policy =
        "default-src 'none'; style-src 'sha256-\(Base64.encode(SHA256.hash(Array(style.utf8))))'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"

    private static let groups: [(title: String, holds: @Sendable (APIEndpoint) -> Bool)] = [
        ("Submissions and review", { !$0.isDelivery }),
        ("Delivery", { $0.isDelivery && $0.pattern.hasPrefix("/v1/") && !isForFeedReaders($0) }),
        ("Syndication", { isForFeedReaders($0) }),
        ("About the API", { !$0.pattern.hasPrefix("/v1/") }),
    ]

    private static func isForFeedReaders(_ endpoint: APIEndpoint) -> Bool {
        ["/rss", "/atom", "/json", "/syndication"].contains { endpoint.pattern.hasSuffix($0) }
    }

    private static func page(_ site: APISite) -> String {
        var html = """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Vitrine API</title>
            <meta name="viewport" content="width=device-width, initial-scale=1"><style>\(style)</style></head><body><main>
            <h1>The API of Vitrine</h1>
            <p>Requests carry an API client's id and secret by HTTP Basic. Errors are problems (RFC 9457) in JSON.
            Machine-readable: <a href="/openapi.json">/openapi.json</a>.</p><nav><ul>
            """
        let shown = groups.map { (title: $0.title, endpoints: site.endpoints.filter($0.holds)) }.filter {
            !$0.endpoints.isEmpty
        }
        for (number, group) in shown.enumerated() {
            html += "<li><a href=\"#g\(number)\">\(HTMLEscape.text(group.title))</a> (\(group.endpoints.count))</li>"
        }
        html += "</ul></nav>"
        for (number, group) in shown.enumerated() {
            html += "<h2 id=\"g\(number)\">\(HTMLEscape.text(group.title))</h2>"
            for endpoint in group.endpoints { html += section(endpoint, site) }
        }
        return html + "</main></body></html>"
    }

    private static func section(_ endpoint: APIEndpoint, _ site: APISite) -> String {
        let example = site.context.examples[endpoint.pattern]
        let access =
            switch endpoint.access {
            case .open: "No credentials required."
            case .client(let scopes): "Scope: \(scopes.names.joined(separator: " or "))."
            }
        var html = "<section><h3><code>\(endpoint.method) \(HTMLEscape.text(endpoint.pattern))</code></h3>"
        html += "<p>\(HTMLEscape.text(endpoint.summary)). \(access)</p>"
        if !endpoint.query.isEmpty {
            html +=
                "<table><thead><tr><th scope=\"col\">Parameter</th><th scope=\"col\">Meaning</th></tr></thead><tbody>"
            for parameter in endpoint.query {
                html += "<tr><td><code>\(parameter.name)</code></td><td>\(inline(parameter.help))</td></tr>"
            }
            html += "</tbody></table>"
        }
        if let example {
            html +=
                "<details><summary>Example</summary><pre><code>\(HTMLEscape.text(request(endpoint, example, site)))\n\n"
            html += "\(HTMLEscape.text(indented(example.response)))</code></pre></details>"
        }
        return html + "</section>"
    }

    private static func request(_ endpoint: APIEndpoint, _ example: APIExamples.Example, _ site: APISite) -> String {
        var path = endpoint.pattern
        for (name, value) in example.parameters { path = path.replacing("{\(name)}", with: value) }
        let query = example.query.isEmpty ? "" : "?" + example.query
        return "curl -u \"$CLIENT\" '\(site.context.publicURL)\(path)\(query)'"
    }

    /// Renders text between backticks as code.
    private static func inline(_ text: String) -> String {
        let parts = HTMLEscape.text(text).split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { $0 % 2 == 1 ? "<code>\($1)</code>" : String($1) }.joined()
    }

    private static func indented(_ value: JSONValue) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? value.canonicalText
    }

    private static let style = """
        :root{color-scheme:light dark}body{margin:0;font:1rem/1.5 system-ui,sans-serif}
        main{max-width:56rem;margin:0 auto;padding:1rem}h2{margin-top:2.5rem;border-bottom:2px solid}
        h3{margin:1.5rem 0 0;font-size:1rem;overflow-wrap:anywhere}p{margin:.25rem 0}
        table{border-collapse:collapse;margin:.5rem 0}th,td{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0}
        pre{overflow-x:auto;padding:.8rem;border:1px solid;border-radius:.4rem}summary{cursor:pointer;padding:.3rem 0}
        """
}
