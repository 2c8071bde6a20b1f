// The signed-in person's own second factor: setup, recovery codes, removal.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Markup
import Operations
import Platform
import Store

enum SecondFactorPages {
    private struct SetUp: Encodable, Sendable {
        /// In groups of four characters, for typing.
        let secret: String
        let size: Int
        let path: String
    }

    private struct Show: Encodable, Sendable {
        let isRequired: Bool
        let since: Date?
        let codesLeft: String?
        let setUp: SetUp?
        let hasPassword: Bool
        let currentErrors: [String]
        let codeErrors: [String]
        let problem: ErrorSummary?
    }

    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let account = try await request.ownAccount()
        let row = try await request.database.secondFactors.find(account.id)
        var setUp: SetUp?
        if let pending = try await request.secondFactor.pendingSetup(account), let code = QRCode(pending.url) {
            let digits = Array(pending.secret)
            setUp = SetUp(
                secret: stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<min($0 + 4, digits.count)]) }
                    .joined(separator: " "),
                size: code.size, path: code.path)
        }
        let left = row?.codesLeft ?? 0
        let model = Show(
            isRequired: request.context.secondFactor.isRequired(of: account.role),
            since: row?.confirmedAt,
            codesLeft: left == 0
                ? tr("No recovery codes") : tr("\(left, one: "# recovery code", other: "# recovery codes")"),
            setUp: setUp, hasPassword: account.passwordHash != nil, currentErrors: errors.messages(at: "/current"),
            codeErrors: errors.messages(at: "/code"), problem: ErrorSummary(errors))
        return try request.page(
            "admin/second-factor/show", model, title: tr("Second factor"),
            status: errors.status)
    }

    /// Runs the action, or shows the page with its errors.
    private static func action(
        _ request: AdminRequest, _ body: (AccountRow) async throws -> Response
    ) async throws -> Response {
        try await request.submit(orShow: show) { try await body(try await request.ownAccount()) }
    }

    static func begin(_ request: AdminRequest) async throws -> Response {
        try await action(request) { account in
            try await request.secondFactor.begin(
                account, password: request.form.first("current") ?? "", by: request.actor)
            return request.redirect(to: AdminURL.secondFactor())
        }
    }

    private struct Codes: Encodable, Sendable {
        let isNew: Bool
        let codes: [String]
    }

    static func verify(_ request: AdminRequest) async throws -> Response {
        try await action(request) { account in
            let confirmed = try await request.secondFactor.confirm(
                account, code: request.form.first("code") ?? "", userAgent: request.request.headers["User-Agent"] ?? "",
                by: request.actor)
            // The codes are shown in the new session: the old one has ended.
            let reopened = try await request.reopened(as: confirmed.session.token)
            var response = try reopened.page(
                "admin/second-factor/codes", Codes(isNew: true, codes: confirmed.codes.map(\.text)),
                title: tr("Recovery codes"))
            if let cookie = Cookie(name: AdminRequest.sessionCookie, value: confirmed.session.token.text) {
                response.setCookie(cookie)
            }
            return response
        }
    }

    static func rotateCodes(_ request: AdminRequest) async throws -> Response {
        try await action(request) { account in
            let codes = try await request.secondFactor.rotateRecoveryCodes(
                account, code: request.form.first("code") ?? "", by: request.actor)
            return try request.page(
                "admin/second-factor/codes", Codes(isNew: false, codes: codes.map(\.text)), title: tr("Recovery codes"))
        }
    }

    static func remove(_ request: AdminRequest) async throws -> Response {
        try await action(request) { account in
            try await request.secondFactor.remove(
                account, code: request.form.first("code") ?? "", by: request.actor)
            return request.redirect(to: AdminURL.ownAccount(), Flash(tr("Second factor removed.")))
        }
    }
}
