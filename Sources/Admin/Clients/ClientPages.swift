// The API clients: their scopes, rate limits, secrets and last use.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Operations
import Platform
import Store

enum ClientPages {
    /// The form's default overlap, in hours.
    private static let defaultOverlap = 24

    // MARK: List

    private struct List: Encodable, Sendable {
        let lines: [ClientLine]
        let name: String
        let perMinute: String
        let scopes: [Option]
        let nameErrors: [String]
        let scopeErrors: [String]
        let limitErrors: [String]
        let problem: ErrorSummary?
    }

    static func list(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let chosen = Set(request.form.all("scopes"))
        let model = List(
            lines: try await request.database.clients.list(), name: request.form.first("name") ?? "",
            perMinute: request.form.first("per_minute") ?? "",
            scopes: Scope.allCases.map {
                Option(
                    value: $0.rawValue, label: $0.rawValue, isChosen: chosen.contains($0.rawValue), note: $0.meaning)
            },
            nameErrors: errors.messages(at: "/name"), scopeErrors: errors.messages(at: "/scopes"),
            limitErrors: errors.messages(at: "/per_minute"), problem: ErrorSummary(errors))
        return try request.page(
            "admin/clients/list", model, title: tr("API clients"),
            status: errors.status)
    }

    static func create(_ request: AdminRequest) async throws -> Response {
        try await request.submit(orShow: list) {
            let created = try await request.services.manageClient.create(
                name: request.form.first("name") ?? "",
                scopes: request.form.all("scopes").compactMap { Scope(rawValue: $0) },
                perMinute: try limit(request), by: request.actor)
            return try showSecret(created.secret, of: created.id, request, hours: nil)
        }
    }

    /// Nil for no limit; 0, which is out of range, for input that is not a number.
    private static func limit(_ request: AdminRequest) throws -> Int? {
        request.text("per_minute").map { Int($0) ?? 0 }
    }

    // MARK: One client

    private struct Show: Encodable, Sendable {
        let client: ClientRow
        let usedAt: Date?
        let oldSecretUsedAt: Date?
        let perMinute: String
        let hours: String
        let limitErrors: [String]
        let hoursErrors: [String]
        let history: [HistoryEvent]
        let problem: ErrorSummary?
    }

    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let line = try await find(request)
        let model = Show(
            client: line.client, usedAt: line.usedAt, oldSecretUsedAt: line.oldSecretUsedAt,
            perMinute: request.form.first("per_minute") ?? line.client.perMinute.map(String.init) ?? "",
            hours: request.form.first("hours") ?? String(defaultOverlap),
            limitErrors: errors.messages(at: "/per_minute"), hoursErrors: errors.messages(at: "/hours"),
            history: try await request.database.auditTrail.about("client", line.client.id.description).map {
                HistoryEvent($0, title: line.client.name)
            },
            problem: ErrorSummary(errors))
        return try request.page(
            "admin/clients/show", model, title: line.client.name,
            status: errors.status)
    }

    private static func find(_ request: AdminRequest) async throws -> ClientLine {
        try await request.database.clients.line(try request.id()).orMissing("client")
    }

    /// Runs the action, or shows the client page with its errors.
    private static func action(
        _ request: AdminRequest, _ body: (ID<APIClient>, ManageClient) async throws -> Response
    ) async throws -> Response {
        try await request.submit(orShow: show) {
            try await body(try await find(request).client.id, request.services.manageClient)
        }
    }

    static func setLimit(_ request: AdminRequest) async throws -> Response {
        try await action(request) { id, manage in
            try await manage.setLimit(id, perMinute: try limit(request), by: request.actor)
            return request.redirect(to: AdminURL.client(id), Flash(tr("Rate limit saved.")))
        }
    }

    static func rotate(_ request: AdminRequest) async throws -> Response {
        try await action(request) { id, manage in
            let hours = request.text("hours").map { Int($0) ?? -1 } ?? 0
            let secret = try await manage.rotate(id, overlapHours: hours, by: request.actor)
            return try showSecret(secret, of: id, request, hours: hours)
        }
    }

    static func revokeOldSecret(_ request: AdminRequest) async throws -> Response {
        try await action(request) { id, manage in
            try await manage.revokeOldSecret(id, by: request.actor)
            return request.redirect(to: AdminURL.client(id), Flash(tr("Old secret revoked.")))
        }
    }

    static func revoke(_ request: AdminRequest) async throws -> Response {
        try await action(request) { id, manage in
            try await manage.revoke(id, by: request.actor)
            return request.redirect(to: AdminURL.client(id), Flash(tr("Access revoked.")))
        }
    }

    // MARK: Secret

    private struct SecretPage: Encodable, Sendable {
        let id: ID<APIClient>
        let secret: String
        /// How long the old secret stays valid; nil for a new client.
        let hours: String?
        let isImmediate: Bool
    }

    /// Shows a secret once, in the response to the POST: it appears in no URL and no cookie.
    private static func showSecret(
        _ secret: Token, of id: ID<APIClient>, _ request: AdminRequest, hours: Int?
    ) throws -> Response {
        let model = SecretPage(id: id, secret: secret.text, hours: hours.map(String.init), isImmediate: hours == 0)
        return try request.page("admin/clients/secret", model, title: tr("Client secret"))
    }
}
