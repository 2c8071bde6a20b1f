// The roles of staff accounts: the list with the form for a new one, and one role with its permissions.
import Domain
import HTTP
import Localization
import Operations
import Store

enum RolePages {
    private struct Line: Encodable, Sendable {
        let name: String
        let label: String
        let permissions: [String]
        let accounts: Int
        let isPreset: Bool
    }

    private static func choices(_ chosen: Set<String>) -> [Option] {
        Permission.allCases.map {
            // Every role reads the queue.
            Option(
                value: $0.rawValue, label: $0.label, isChosen: $0 == .readQueue || chosen.contains($0.rawValue),
                note: $0.meaning, isFixed: $0 == .readQueue)
        }
    }

    // MARK: List

    private struct List: Encodable, Sendable {
        let lines: [Line]
        let name: String
        let label: String
        let permissions: [Option]
        let nameErrors: [String]
        let labelErrors: [String]
        let permissionErrors: [String]
        let problem: ErrorSummary?
    }

    static func list(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let form = request.form
        let model = List(
            lines: try await request.database.roles.lines().map {
                Line(
                    name: $0.role.name, label: $0.role.label,
                    permissions: Permission.allCases.filter($0.role.may).map(\.label), accounts: $0.accounts,
                    isPreset: $0.role.isPreset)
            },
            name: form.first("name") ?? "", label: form.first("label") ?? "",
            permissions: choices(Set(form.all("permissions"))), nameErrors: errors.messages(at: "/name"),
            labelErrors: errors.messages(at: "/label"), permissionErrors: errors.messages(at: "/permissions"),
            problem: ErrorSummary(errors))
        return try request.page(
            "admin/roles/list", model, title: tr("Roles", context: "list"), status: errors.status)
    }

    static func create(_ request: AdminRequest) async throws -> Response {
        let form = request.form
        return try await request.submit(orShow: list) {
            let role = try await request.services.manageRole.create(
                name: PlainText.singleLine(form.first("name") ?? ""), label: form.first("label") ?? "",
                permissions: form.all("permissions"), by: request.actor)
            return request.redirect(to: AdminURL.role(role.name), Flash(tr("Role created.")))
        }
    }

    // MARK: One role

    private struct Show: Encodable, Sendable {
        let name: String
        let title: String
        let isPreset: Bool
        let accounts: Int
        let isUsed: Bool
        let label: String
        let permissions: [Option]
        let labelErrors: [String]
        let permissionErrors: [String]
        let history: [HistoryEvent]
        let problem: ErrorSummary?
    }

    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let line = try await find(request)
        let role = line.role
        let typed = errors.isEmpty ? nil : request.form
        let model = Show(
            name: role.name, title: role.label, isPreset: role.isPreset, accounts: line.accounts, isUsed: line.isUsed,
            label: typed?.first("label") ?? role.label,
            permissions: choices(typed.map { Set($0.all("permissions")) } ?? Set(role.permissions.names)),
            labelErrors: errors.messages(at: "/label"), permissionErrors: errors.messages(at: "/permissions"),
            history: try await request.database.auditTrail.about("role", role.name).map {
                HistoryEvent($0, title: role.label)
            },
            problem: ErrorSummary(errors))
        return try request.page("admin/roles/show", model, title: role.label, status: errors.status)
    }

    static func update(_ request: AdminRequest) async throws -> Response {
        let role = try await find(request).role
        let form = request.form
        return try await request.submit(orShow: show) {
            _ = try await request.services.manageRole.update(
                role.name, label: form.first("label") ?? "", permissions: form.all("permissions"), by: request.actor)
            return request.redirect(to: AdminURL.role(role.name), Flash(tr("Role saved.")))
        }
    }

    private struct Deletion: Encodable, Sendable {
        let name: String
        let label: String
    }

    /// Asks before a role is deleted; one that is in use is shown with the reason instead.
    static func confirm(_ request: AdminRequest) async throws -> Response {
        let line = try await find(request)
        if line.isUsed || line.role.isPreset { return request.redirect(to: AdminURL.role(line.role.name)) }
        return try request.page(
            "admin/roles/delete", Deletion(name: line.role.name, label: line.role.label), title: tr("Delete role"))
    }

    static func delete(_ request: AdminRequest) async throws -> Response {
        let role = try await find(request).role
        return try await request.submit(orShow: show) {
            try await request.services.manageRole.delete(role.name, by: request.actor)
            return request.redirect(to: AdminURL.roles(), Flash(tr("Role \(role.label) deleted.")))
        }
    }

    /// The role of the name in the path.
    private static func find(_ request: AdminRequest) async throws -> RoleLine {
        let name = request.parameters["name"] ?? ""
        return try await request.database.roles.lines().first(where: { $0.role.name == name }).orMissing("role")
    }
}
