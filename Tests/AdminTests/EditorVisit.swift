// Somebody of the staff before the editors' pages: visits them, reads their forms, fills them in and sends them.
import Admin
import Domain
import FoundationEssentials
import HTTP
import Markup
import Platform
import Store
import TestSupport

/// The pages on a database of their own.
struct EditorSite: Sendable {
    let test: TestDatabase
    let site: AdminSite

    static func make() async throws -> EditorSite {
        let test = try await TestDatabase.make()
        let root = TestDatabase.packageRoot
        let context = AdminContext(
            database: test.database, rules: test.rules, templates: try TemplateSet(directory: root + "/Templates"),
            statics: try StaticFiles(directory: root + "/Templates/static"), log: Logger(level: .error),
            environment: "test", publicURL: "https://vitrine.example.org")
        return EditorSite(test: test, site: AdminSite(context: context))
    }

    /// Somebody of this role, signed in; nobody when there is none.
    func visitor(_ role: Role?, name: String = "Someone") async throws -> EditorVisit {
        guard let role else { return EditorVisit(site: self, token: nil, csrf: "") }
        let actor = try await test.actor(role, name: name)
        let token = Token.make()
        let csrf = Token.make().text
        if let id = actor.id {
            try await test.database.change(by: actor, AuditEvent("session.add", on: "account")) { change in
                try await change.sessions.add(
                    tokenHash: token.hash, account: ID<Account>(id), csrf: csrf, address: "192.0.2.1", agent: "test",
                    hours: 1)
            }
        }
        return EditorVisit(site: self, token: token.text, csrf: csrf)
    }

    /// A live category of the first group, and a live feed.
    func shelf() async throws -> (feed: ID<Entry>, category: ID<Entry>) {
        let feed = try await make("feed", ["title": "City guides", "tier": "free"])
        let category = try await make(
            "category", ["title": "Walks", "group": "00000000-0000-7000-8000-000000000011", "position": .int(10)])
        return (feed, category)
    }

    func make(_ type: String, _ fields: [String: JSONValue], _ goLive: GoLive? = .now) async throws -> ID<Entry> {
        try await EditorSite.write(test, type, fields, goLive)
    }
}

/// A page that came back.
struct EditorPage: Sendable, CustomStringConvertible {
    let status: Int
    let text: String
    /// Where the answer leads.
    let location: String?
    let response: Response

    /// The last part of a path such as `/entries/{id}`.
    var entry: ID<Entry>? {
        location.flatMap { $0.split(separator: "/").last }.flatMap { ID<Entry>(String($0)) }
    }

    var description: String { "\(status) \(location ?? "")" }

    func holds(_ words: String) -> Bool { text.contains(words) }

    /// The fields that the form to `action` would send, without its buttons.
    func form(_ action: String) -> [(String, String)] {
        guard let start = text.firstRange(of: "action=\"\(action)\""),
            let end = text[start.upperBound...].firstRange(of: "</form>")
        else { return [] }
        return EditorFormReader.fields(of: text[start.upperBound..<end.lowerBound])
    }

    /// The fields that belong to the form with this id, wherever they stand.
    func fields(ofForm id: String) -> [(String, String)] {
        text.split(separator: "<").filter { $0.contains(" form=\"\(id)\"") }.flatMap {
            EditorFormReader.fields(of: "<\($0)")
        }
    }
}

struct EditorVisit: Sendable {
    let site: EditorSite
    let token: String?
    let csrf: String

    func get(_ target: String, flash: String? = nil) async throws -> EditorPage {
        try await send("GET", target, [], flash: flash)
    }

    /// Sends a form's fields, and our token beside them.
    func post(_ target: String, _ fields: [(String, String)]) async throws -> EditorPage {
        let own = fields.contains { $0.0 == "csrf" } ? [] : [("csrf", csrf)]
        return try await send("POST", target, own + fields)
    }

    /// Fills in the form of a page and sends it: `changes` replace fields of the same name.
    func fill(
        _ page: EditorPage, _ action: String, _ changes: [(String, String)]
    ) async throws -> EditorPage {
        let names = Set(changes.map(\.0))
        let fields = page.form(action).filter { !names.contains($0.0) }
        return try await post(action, fields + changes)
    }

    /// Goes where the answer leads, as a browser does, with the cookie of the flash.
    func follow(_ page: EditorPage) async throws -> EditorPage {
        let flash = page.response.headers.all("Set-Cookie").compactMap { cookie -> String? in
            guard cookie.hasPrefix("__Host-vitrine_flash=") else { return nil }
            return cookie.split(separator: ";").first.map(String.init)
        }.last
        return try await get(page.location ?? "/nowhere", flash: flash)
    }

    private func send(
        _ method: String, _ target: String, _ fields: [(String, String)], flash: String? = nil
    ) async throws -> EditorPage {
        var headers = Headers()
        headers.append("Host", "vitrine.example.org")
        let cookies = [token.map { "__Host-vitrine_session=\($0)" }, flash].compactMap { $0 }
        if !cookies.isEmpty { headers.append("Cookie", cookies.joined(separator: "; ")) }
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        let form = FormFields(fields.map { FormFields.Field(name: $0.0, value: $0.1) })
        let request = Request(
            method: method, path: parts[0], rawTarget: target,
            query: parts.count > 1 ? try FormFields(urlEncoded: parts[1]) : FormFields(), headers: headers,
            body: method == "POST" ? .form(form) : .none, remoteAddress: "192.0.2.1", loop: site.test.loop)
        let response = await site.site.respond(request)
        var text = ""
        if case .bytes(let bytes) = response.body { text = String(decoding: bytes, as: UTF8.self) }
        return EditorPage(
            status: response.status, text: text, location: response.headers["Location"], response: response)
    }
}
