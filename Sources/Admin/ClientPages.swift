// The applications that may use the API: their scopes, limits, secrets and when they last came in.
import Accounts
import Domain
import HTTP
import Platform
import Store

enum ClientPages {
    static let routes = [
        route("GET", "/clients") { try await list($0) }, route("POST", "/clients", add),
        route("GET", "/clients/{id}") { try await show($0) }, route("POST", "/clients/{id}/limit", setLimit),
        route("POST", "/clients/{id}/rotate", renew), route("POST", "/clients/{id}/old-secret/revoke", endOverlap),
        route("POST", "/clients/{id}/revoke", revoke),
    ]

    /// What the form offers: a day to change over.
    private static let usualOverlap = 24

    private static func route(
        _ method: String, _ pattern: String, _ handler: @escaping @Sendable (AdminRequest) async throws -> Response
    ) -> AdminEndpoint {
        AdminEndpoint(method: method, pattern: pattern, access: .may(.administer), handler: handler)
    }

    private struct Line: Encodable, Sendable {
        let id: ID<APIClient>
        let name: String
        let scopes: String
        let isRevoked: Bool
        let limit: String?
        let used: Instant?
        /// While the secret before a renewal still lets in.
        let oldUntil: Instant?
        let oldUsed: Instant?

        init(_ line: ClientLine) {
            let client = line.client
            id = client.id
            name = client.name
            scopes = client.scopes.map(\.rawValue).joined(separator: ", ")
            isRevoked = client.isRevoked
            limit = client.perMinute.map(String.init)
            used = line.usedAt.map { Instant($0) }
            oldUntil = client.isRevoked ? nil : client.oldUntil.map { Instant($0) }
            oldUsed = line.oldUsedAt.map { Instant($0) }
        }
    }

    // MARK: All of them

    private struct ScopeBox: Encodable, Sendable {
        let value: String
        let meaning: String
        let isChosen: Bool
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        let name: String
        let perMinute: String
        let scopes: [ScopeBox]
        let nameErrors: [String]
        let scopeErrors: [String]
        let limitErrors: [String]
        let problem: ErrorSummary?
    }

    private static func list(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let chosen = Set(request.form.all("scopes"))
        let model = List(
            lines: try await request.database.clients.list().map(Line.init), name: request.form.first("name") ?? "",
            perMinute: request.form.first("per_minute") ?? "",
            scopes: Scope.allCases.map {
                ScopeBox(value: $0.rawValue, meaning: $0.meaning, isChosen: chosen.contains($0.rawValue))
            },
            nameErrors: errors.messages(at: "/name"), scopeErrors: errors.messages(at: "/scopes"),
            limitErrors: errors.messages(at: "/per_minute"), problem: ErrorSummary(errors))
        return try request.page(
            "admin/clients/list", model, title: (errors.isEmpty ? "" : "Error: ") + "API clients",
            status: errors.isEmpty ? 200 : 422)
    }

    private static func add(_ request: AdminRequest) async throws -> Response {
        do {
            let made = try await ManageClient(database: request.database).add(
                name: request.form.first("name") ?? "",
                scopes: request.form.all("scopes").compactMap { Scope(rawValue: $0) },
                perMinute: try limit(request), by: request.actor)
            return try showSecret(made.secret, of: made.id, request, hours: nil)
        } catch Failure.invalid(let errors) {
            return try await list(request, errors: errors)
        }
    }

    /// A limit that is no number is as far out of range as 0 is.
    private static func limit(_ request: AdminRequest) throws -> Int? {
        request.text("per_minute").map { Int($0) ?? 0 }
    }

    // MARK: One of them

    private struct Trail: Encodable, Sendable {
        let when: Instant
        let actor: String
        let action: String
    }

    private struct Show: Encodable, Sendable {
        let client: Line
        let perMinute: String
        let hours: String
        let limitErrors: [String]
        let hoursErrors: [String]
        let trail: [Trail]
        let problem: ErrorSummary?
    }

    private static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let line = try await find(request)
        let model = Show(
            client: Line(line),
            perMinute: request.form.first("per_minute") ?? line.client.perMinute.map(String.init) ?? "",
            hours: request.form.first("hours") ?? String(usualOverlap),
            limitErrors: errors.messages(at: "/per_minute"), hoursErrors: errors.messages(at: "/hours"),
            trail: try await request.database.auditTrail.about("client", line.client.id.description).map {
                Trail(when: Instant($0.happenedAt), actor: $0.actor, action: $0.action)
            },
            problem: ErrorSummary(errors))
        return try request.page(
            "admin/clients/show", model, title: (errors.isEmpty ? "" : "Error: ") + line.client.name,
            status: errors.isEmpty ? 200 : 422)
    }

    private static func find(_ request: AdminRequest) async throws -> ClientLine {
        guard let line = try await request.database.clients.line(try request.id()) else {
            throw Failure.missing("client")
        }
        return line
    }

    /// Does it, or shows the client again with what was wrong.
    private static func action(
        _ request: AdminRequest, _ body: (ID<APIClient>, ManageClient) async throws -> Response
    ) async throws -> Response {
        do {
            return try await body(try await find(request).client.id, ManageClient(database: request.database))
        } catch Failure.invalid(let errors) {
            return try await show(request, errors: errors)
        }
    }

    private static func setLimit(_ request: AdminRequest) async throws -> Response {
        try await action(request) { id, manage in
            try await manage.setLimit(id, perMinute: try limit(request), by: request.actor)
            return request.redirect(to: "/clients/\(id)", Flash("The limit is changed."))
        }
    }

    private static func renew(_ request: AdminRequest) async throws -> Response {
        try await action(request) { id, manage in
            let hours = request.text("hours").map { Int($0) ?? -1 } ?? 0
            let secret = try await manage.renew(id, overlapHours: hours, by: request.actor)
            return try showSecret(secret, of: id, request, hours: hours)
        }
    }

    private static func endOverlap(_ request: AdminRequest) async throws -> Response {
        try await action(request) { id, manage in
            try await manage.endOverlap(id, by: request.actor)
            return request.redirect(to: "/clients/\(id)", Flash("The old secret lets nobody in any more."))
        }
    }

    private static func revoke(_ request: AdminRequest) async throws -> Response {
        try await action(request) { id, manage in
            try await manage.revoke(id, by: request.actor)
            return request.redirect(to: "/clients/\(id)", Flash("The client is kept out, for good."))
        }
    }

    // MARK: The secret

    private struct SecretPage: Encodable, Sendable {
        let id: ID<APIClient>
        let secret: String
        /// For how long the secret before goes on; nil for a new client.
        let hours: String?
        let isAtOnce: Bool
    }

    /// Shows a secret, this once: it stands in no address and in no cookie.
    private static func showSecret(
        _ secret: Token, of id: ID<APIClient>, _ request: AdminRequest, hours: Int?
    ) throws -> Response {
        let model = SecretPage(id: id, secret: secret.text, hours: hours.map(String.init), isAtOnce: hours == 0)
        return try request.page("admin/clients/secret", model, title: "Secret of the client")
    }
}
