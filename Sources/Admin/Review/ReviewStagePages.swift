// The review stages of content types and category groups: who must approve submissions.
import Domain
import HTTP
import Localization
import Operations
import Store

enum ReviewStagePages {
    private struct Line: Encodable, Sendable {
        let index: Int
        let number: Int
        let name: String
        let roles: [Option]
        let approvals: String
        let errors: [String]
    }

    private struct Plan: Encodable, Sendable {
        let id: String
        let scope: String
        let label: String
        /// Nil if one approval is enough.
        let summary: String?
        let lines: [Line]
        let isOpen: Bool
    }

    private struct Model: Encodable, Sendable {
        let plans: [Plan]
        let mayUpdate: Bool
        let problem: ErrorSummary?
    }

    static func show(
        _ request: AdminRequest, errors: FieldErrors = FieldErrors()
    ) async throws -> Response {
        let typed = errors.isEmpty ? nil : request.form
        let roles = try await request.database.roles.list().filter(\.isWorthRequiring)
        let stages = Dictionary(grouping: try await request.database.reviewStages.list(), by: \.scope)
        var scopes: [(scope: ReviewScope, text: String, label: String)] =
            request.context.rules.types.all.filter(\.submittable).map { (.type($0.name), "type:\($0.name)", $0.plural) }
        scopes += try await request.database.entries.choices(.categoryGroup).map {
            (.group($0.id), "group:\($0.id)", tr("Category group \($0.title)"))
        }
        let model = Model(
            plans: scopes.enumerated().map { index, scope in
                let isTyped = typed?.first("scope") == scope.text
                return plan(
                    "plan-\(index)", scope.text, scope.label, stages[scope.scope]?.map(\.stage) ?? [], roles,
                    typed: isTyped ? typed : nil, errors: isTyped ? errors : FieldErrors())
            },
            mayUpdate: request.actor.may(.administer), problem: ErrorSummary(errors))
        return try request.page(
            "admin/review/stages", model, title: tr("Review stages"), status: errors.status
        )
    }

    private static func plan(
        _ id: String, _ scope: String, _ label: String, _ stages: [ReviewStage], _ roles: [Role],
        typed: FormFields?, errors: FieldErrors
    ) -> Plan {
        Plan(
            id: id, scope: scope, label: label,
            summary: summary(of: stages),
            lines: (0..<ReviewStage.maxCount).map { index in
                let stage = stages.indices.contains(index) ? stages[index] : nil
                func text(_ name: String, _ saved: String) -> String { typed?.first("\(name)_\(index)") ?? saved }
                let role = text("role", (stage?.role ?? .editor).name)
                return Line(
                    index: index, number: index + 1, name: text("name", stage?.name ?? ""),
                    roles: roles.map { Option(value: $0.name, label: $0.label, isChosen: $0.name == role) },
                    approvals: text("approvals", stage.map { String($0.requiredApprovals) } ?? "1"),
                    errors: errors.items.filter { $0.pointer.hasPrefix("/stages/\(index)") }.map(\.message))
            },
            isOpen: typed != nil)
    }

    static func summary(of stages: [ReviewStage]) -> String? {
        guard let first = stages.first else { return nil }
        return stages.dropFirst().reduce(approvals(first)) {
            tr("\($0), then \(approvals($1))", context: "review stages")
        }
    }

    private static func approvals(_ stage: ReviewStage) -> String {
        tr("\(stage.name): \(stage.requiredApprovals, one: "# approval", other: "# approvals") by \(stage.role.people)")
    }

    static func update(_ request: AdminRequest) async throws -> Response {
        let form = request.form
        let text = form.first("scope") ?? ""
        let scope: ReviewScope
        if text.hasPrefix("type:") {
            scope = .type(String(text.dropFirst(5)))
        } else if text.hasPrefix("group:"), let id = ID<Entry>(String(text.dropFirst(6))) {
            scope = .group(id)
        } else {
            throw Failure.missing(tr("content type or category group"))
        }
        // A line without a name is not a stage but keeps its index, which error pointers refer to.
        return try await request.submit(orShow: show) {
            var stages: [ReviewStage] = []
            for index in 0..<ReviewStage.maxCount {
                let name = PlainText.singleLine(form.first("name_\(index)") ?? "")
                if name.isEmpty { break }
                stages.append(
                    ReviewStage(
                        name: name,
                        role: try await request.database.roles.named(
                            form.first("role_\(index)") ?? Role.editor.name, pointer: "/stages/\(index)/role"),
                        requiredApprovals: Int(PlainText.singleLine(form.first("approvals_\(index)") ?? "")) ?? 0))
            }
            try await request.services.approveStage.update(scope, stages, by: request.actor)
            return request.redirect(
                to: AdminURL.reviewStages(), Flash(tr("Stages saved. They also apply to pending submissions.")))
        }
    }

    static func withdraw(_ request: AdminRequest) async throws -> Response {
        let id: ID<Submission> = try request.id()
        let url = QueueQuery(request.query).url(AdminURL.submission(id))
        do {
            try await request.services.approveStage.withdraw(id, by: request.actor)
        } catch Failure.conflict(_, let message) {
            return request.redirect(to: url, Flash(message))
        }
        return request.redirect(to: url, Flash(tr("Approval withdrawn.")))
    }
}
