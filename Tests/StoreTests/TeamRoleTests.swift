// Tests the roles that teams define: what they include, what refers to them, and who may change them.
import Domain
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Roles of a team", .databases)
struct TeamRoleTests {
    private static let admin = TestDatabase.administrator
    private static let reject = Decision.Draft(verdict: .reject, reason: .spam)

    private struct Team: World {
        let test: TestDatabase
        let client: Actor
        var manage: ManageRole { test.services.manageRole }

        static func make() async throws -> Team {
            let test = try await TestDatabase.make()
            return Team(test: test, client: try await test.clientActor())
        }

        func submit() async throws -> ID<Submission> { try await submit("A walk", contributor: nil, by: client) }

        func assign(_ id: ID<Submission>, to role: String) async throws {
            try await test.services.triageSubmission.assign(id, to: .role(role), by: TestDatabase.administrator)
        }

        func events() async throws -> [AuditRow] {
            try await test.database.auditTrail.search(AuditFilter(), before: nil, limit: 100).filter {
                $0.objectType == "role"
            }
        }
    }

    private func sentence(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "done"
        } catch let failure as Failure {
            guard case .invalid(let errors) = failure else { return failure.sentence }
            return errors.items.map { "\($0.code) \($0.pointer)" }.joined(separator: ", ")
        } catch let error as PostgresError {
            return error.constraint ?? error.message
        } catch {
            return "\(error)"
        }
    }

    @Test("The presets of the database are those of the program, and come before a team's roles, which are by label")
    func presets() async throws {
        let team = try await Team.make()
        let owner = try await team.test.role("zoo", [.publish])
        let other = try await team.manage.create(
            name: "a", label: "Älteste", permissions: ["edit"], by: TestDatabase.administrator)
        let roles = try await team.test.database.roles.list()
        #expect(Array(roles.prefix(4)) == Role.presets)
        #expect(Set(roles.dropFirst(4)) == [owner, other])
        #expect(try await team.test.database.roles.find("editor") == .editor)
        #expect(try await team.test.database.roles.find("Editor") == nil)
        let error = try await #require(throws: Failure.self) {
            _ = try await team.test.database.roles.named("king", pointer: "/role")
        }
        #expect("\(error)".contains("curator, editor, publisher, administrator, "))
    }

    @Test("Whether a role includes another one is the same in the program and in the database")
    func inclusion() async throws {
        let team = try await Team.make()
        var roles = Role.presets
        roles.append(try await team.test.role("translator", [.suggest]))
        roles.append(try await team.test.role("moderator", [.decide, .suggest]))
        roles.append(try await team.test.role("caretaker", [.administer]))
        for role in roles {
            for other in roles {
                let includes: Bool = try await team.test.client.one(
                    "select ops.role_includes(\(role.name), \(other.name)) as is")("is")
                #expect(includes == role.includes(other), "\(role.name) \(other.name)")
            }
            for permission in Permission.allCases {
                let may: Bool = try await team.test.client.one(
                    "select ops.role_has(\(role.name), \(permission.rawValue)) as may")("may")
                #expect(may == role.may(permission), "\(role.name) \(permission)")
            }
        }
    }

    @Test("A preset can't be changed or deleted, not even by the owner of the database")
    func preset() async throws {
        let team = try await Team.make()
        let message = "This role is part of the program. It can't be changed or deleted; create another one."
        for role in Role.presets {
            #expect(
                await sentence { _ = try await team.manage.update(role.name, label: "X", by: Self.admin) } == message)
            #expect(
                await sentence { _ = try await team.manage.update(role.name, permissions: [], by: Self.admin) }
                    == message)
            #expect(await sentence { try await team.manage.delete(role.name, by: Self.admin) } == message)
        }
        for statement in ["update ops.role set label = 'x'", "delete from ops.role where name = 'curator'"] {
            let error = await sentence {
                try await team.test.client.transaction { transaction in
                    try await transaction.execute(
                        """
                        insert into ops.audit_event (actor_id, action, object_type)
                        values ('\(raw: "\(SystemActor.system)")', 'test.fill', 'test')
                        """)
                    try await transaction.execute("\(raw: statement)")
                }
            }
            #expect(error == "role_preset", "\(statement)")
        }
        #expect(try await team.test.database.roles.list() == Role.presets)
    }

    @Test("Changes are audited with the values before and after; a name can be used once")
    func audited() async throws {
        let team = try await Team.make()
        let role = try await team.test.role("moderator", [.decide])
        #expect(
            await sentence { _ = try await team.test.role("moderator", [.edit]) } == "taken /name")
        let changed = try await team.manage.update("moderator", permissions: ["suggest"], by: Self.admin)
        #expect(changed.label == role.label && changed.permissions == [.readQueue, .suggest])
        let renamed = try await team.manage.update("moderator", label: "Translator", by: Self.admin)
        #expect(renamed.permissions == changed.permissions)
        #expect(try await team.test.database.roles.find("moderator") == renamed)
        try await team.manage.delete("moderator", by: Self.admin)
        #expect(
            await sentence { try await team.manage.delete("moderator", by: Self.admin) } == "There is no such role.")
        func json(_ role: Role) -> JSONValue {
            .object(["label": .string(role.label), "permissions": .array(role.permissions.names.map { .string($0) })])
        }
        let events = try await team.events()
        #expect(events.map(\.action) == ["role.delete", "role.update", "role.update", "role.create"])
        #expect(events.allSatisfy { $0.objectID == "moderator" })
        #expect(events[3].detail == .object(["after": json(role)]))
        #expect(events[2].detail == .object(["before": json(role), "after": json(changed)]))
        #expect(events[1].detail == .object(["before": json(changed), "after": json(renamed)]))
        #expect(events[0].detail == .object(["before": json(renamed)]))
    }

    @Test("S46: only administrators change roles; the database also refuses a role that gives itself the permission")
    func escalation() async throws {
        let team = try await Team.make()
        let role = try await team.test.role("moderator", Set(Permission.allCases).subtracting([.administer]))
        let actor = try await team.test.actor(role)
        #expect(
            await sentence { _ = try await team.manage.update("moderator", permissions: ["administer"], by: actor) }
                == "You may not manage roles.")
        let all = Role(name: "moderator", label: "Moderator", permissions: Set(Permission.allCases))
        let changes: [@Sendable (AuditedTransaction) async throws -> Void] = [
            { try await $0.roles.update(all) }, { try await $0.roles.remove("moderator") },
            { try await $0.roles.add(Role(name: "new", label: "New", permissions: [.readQueue])) },
        ]
        for change in changes {
            let event = AuditEvent("role.update", on: "role", "moderator")
            await #expect(throws: (any Error).self) {
                try await team.test.database.transaction(by: actor, event) { try await change($0) }
            }
        }
        #expect(try await team.test.database.roles.list() == Role.presets + [role])
    }

    // MARK: Assignments and stages

    @Test(
        "A submission assigned to a role is next for, and decided by, whoever has all its permissions",
        arguments: Permission.allCases)
    func assigned(missing: Permission) async throws {
        let team = try await Team.make()
        let services = try team.test.services(["VITRINE_REVIEW_ASSIGNED_ONLY": "true"])
        _ = try await team.test.role("moderator", [.decide, .suggest, .approve])
        let equal = try await team.test.actor(try await team.test.role("equal", [.decide, .suggest, .approve]))
        // Decides at all, but has not quite all permissions.
        let permissions = Set<Permission>([.readQueue, .decide, .suggest, .approve, .publish]).subtracting([missing])
        let almost = try await team.test.actor(try await team.test.role("almost", permissions.union([.decide])))
        let isIncluded = ![.suggest, .approve].contains(missing)
        let id = try await team.submit()
        try await team.assign(id, to: "moderator")
        func next(_ actor: Actor) async throws -> ID<Submission>? {
            try await team.test.database.queue.next(
                after: nil, QueueFilter(), for: ID(actor.rowID), try #require(actor.role))
        }
        #expect(try await next(equal) == id)
        #expect(try await next(almost) == (isIncluded ? id : nil))
        let outcome = await sentence {
            _ = try await services.decideSubmission(id, Self.reject, version: nil, by: almost)
        }
        #expect(outcome == (isIncluded ? "done" : "This submission is assigned to any Moderator."))
        if !isIncluded { _ = try await services.decideSubmission(id, Self.reject, version: nil, by: equal) }
        #expect(try await team.state(id) == .rejected)
        let client = await sentence {
            let second = try await team.submit()
            try await team.assign(second, to: "moderator")
            _ = try await services.decideSubmission(second, Self.reject, version: nil, by: team.client)
        }
        #expect(client.contains("assigned to any Moderator"), "a client has no role")
    }

    @Test("A stage of a role is approved by whoever has all its permissions")
    func stage() async throws {
        let team = try await Team.make()
        let role = try await team.test.role("checker", [.decide, .publish])
        try await team.test.services.approveStage.update(
            .type("article"), [ReviewStage(name: "Check", role: role, requiredApprovals: 2)], by: Self.admin)
        #expect(try await team.test.database.reviewStages.list().map(\.stage.role) == [role])
        let id = try await team.submit()
        func approve(_ actor: Actor) async -> String {
            await sentence {
                _ = try await team.test.services.decideSubmission(
                    id, Decision.Draft(verdict: .approve, publishTiming: .approveOnly), version: nil, by: actor)
            }
        }
        let editor = try await team.test.actor(.editor)
        #expect(await approve(editor) == "Your role can't approve this stage.")
        let equal = try await team.test.actor(try await team.test.role("equal", [.decide, .publish]))
        #expect(await approve(equal) == "done")
        #expect(try await team.state(id) == .pending)
        #expect(await approve(try await team.test.actor(.publisher)) == "done")
        #expect(try await team.state(id) == .approved)
        let people = try await team.test.database.reviewStages.people()
        #expect(people.filter { $0.key.includes(role) }.values.reduce(0, +) >= 2)
    }

    // MARK: Use

    @Test("A role in use can't be deleted: by accounts, submissions or review stages")
    func inUse() async throws {
        let team = try await Team.make()
        for name in ["account", "assigned", "staged"] { _ = try await team.test.role(name, [.decide]) }
        _ = try await team.test.actor(try #require(try await team.test.database.roles.find("account")))
        let id = try await team.submit()
        try await team.assign(id, to: "assigned")
        let stages = team.test.services.approveStage
        let staged = try #require(try await team.test.database.roles.find("staged"))
        try await stages.update(
            .type("article"), [ReviewStage(name: "One", role: staged, requiredApprovals: 1)], by: Self.admin)
        let expected = [
            "account": "Accounts have this role. Give them another role first.",
            "assigned": "Submissions are assigned to this role. Assign them to others first.",
            "staged":
                "Review stages require this role, or did earlier. A role that approvals refer to is kept.",
        ]
        for (name, message) in expected {
            #expect(await sentence { try await team.manage.delete(name, by: Self.admin) } == message)
        }
        let lines = try await team.test.database.roles.lines()
        #expect(!lines.contains { expected[$0.role.name] != nil && !$0.isUsed })
        #expect(lines.filter { $0.role.name == "account" }.map(\.accounts) == [1])
        try await team.test.services.triageSubmission.assign(id, to: nil, by: Self.admin)
        #expect(await sentence { try await team.manage.delete("assigned", by: Self.admin) } == "done")
        #expect(
            await sentence { try await team.assign(id, to: "assigned") } == "choice /assignee", "the role is gone")
    }

    @Test("An undo restores no assignment to a role that was deleted meanwhile")
    func undo() async throws {
        let team = try await Team.make()
        _ = try await team.test.role("moderator", [.decide])
        let services = team.test.services
        let ids = [try await team.submit(), try await team.submit(), try await team.submit()]
        for id in ids { try await team.assign(id, to: "moderator") }
        _ = try await services.decideSubmission(ids[0], Self.reject, version: nil, by: Self.admin)
        let plan = team.test.services.planBulkAction
        let rejected = try await plan(.reject, .listed([ids[1]]), by: Self.admin)
        _ = try await services.runBulkAction(rejected, .decide(Self.reject), by: Self.admin)
        let assigned = try await plan(.assign, .listed([ids[2]]), by: Self.admin)
        _ = try await services.runBulkAction(assigned, .assign(.role("editor"), note: nil), by: Self.admin)
        try await team.manage.delete("moderator", by: Self.admin)
        try await team.test.services.undoDecision(ids[0], version: nil, by: Self.admin)
        for bulkAction in [rejected, assigned] {
            _ = try await team.test.services.undoBulkAction(bulkAction, by: Self.admin)
        }
        for id in ids {
            let row = try #require(try await team.test.database.queue.find(id))
            #expect(row.assignedRole == nil && row.assignedToID == nil)
        }
    }

    // MARK: The last administrator

    @Test("The last administrator is kept, also when only a team's role administers")
    func lastAdministrator() async throws {
        let team = try await Team.make()
        let last = "This is the last active administrator. Add another administrator first."
        let role = try await team.test.role("caretaker", [.administer])
        let caretaker = try await team.test.actor(role, name: "Carla")
        let accounts = team.test.services.manageAccount
        let carla = ID<Account>(caretaker.rowID)
        func weaken() async -> String {
            await sentence { _ = try await team.manage.update("caretaker", permissions: ["edit"], by: Self.admin) }
        }
        func disable() async -> String {
            await sentence { try await accounts.setDisabled(carla, true, by: Self.admin) }
        }
        #expect(await weaken() == last)
        #expect(await disable() == last)
        #expect(await sentence { try await accounts.setRole(carla, .publisher, by: Self.admin) } == last)
        // Another one by another role of the team: either may go, but not both.
        let second = try await team.test.role("janitor", [.administer, .edit])
        let janitor = try await team.test.actor(second, name: "Jan")
        #expect(await disable() == "done")
        #expect(await weaken() == "done", "the account is disabled")
        let name = second.name
        let outcome = await sentence {
            _ = try await team.manage.update(name, permissions: ["edit"], by: janitor)
        }
        #expect(outcome == last)
        // An administrator by a preset counts, too.
        _ = try await team.test.actor(.administrator, name: "Ada")
        _ = try await team.manage.update(name, permissions: ["edit"], by: janitor)
        #expect(
            await sentence { _ = try await team.manage.update(name, permissions: ["administer"], by: janitor) }
                != "done", "the database knows the role as it is now")
    }

    @Test("A role's new permissions apply to the next request of a session")
    func nextRequest() async throws {
        let team = try await Team.make()
        let role = try await team.test.role("moderator", [.decide])
        let actor = try await team.test.actor(role)
        let hash = SHA256.hash(try #require(actor.credential).bytes)
        let sessions = team.test.database.sessions
        #expect(try await sessions.find(tokenHash: hash, idleMinutes: 30)?.role == role)
        let changed = try await team.manage.update(
            "moderator", label: "Translator", permissions: ["suggest"], by: Self.admin)
        #expect(try await sessions.find(tokenHash: hash, idleMinutes: 30)?.role == changed)
        #expect(try await team.test.database.accounts.list(may: .suggest).map(\.id) == [ID(actor.rowID)])
        #expect(try await team.test.database.accounts.list(may: .decide).isEmpty)
    }
}
