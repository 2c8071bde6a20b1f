// Tests the pages of roles, and what a team's roles may do at every endpoint.
@testable import Admin
import Domain
import Operations
import Platform
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Role pages", .databases)
struct RolePagesTests {
    // MARK: Endpoints

    /// Every endpoint with the permission that it needs, except those open to anyone and the one that ends the session.
    private static var endpoints: [(endpoint: AdminEndpoint, permission: Permission)] {
        AdminSite.endpoints(TestDatabase.packs).filter { $0.pattern != AdminURL.logout() }.compactMap { endpoint in
            if case .may(let permission) = endpoint.access { (endpoint, permission) } else { nil }
        }
    }

    /// Sends an empty request to every endpoint, and returns those that treat the role otherwise than its permissions say.
    private func differences(_ role: Role, _ site: AdminFixture) async throws -> [String] {
        let visit = try await site.browser(role)
        let id = UUIDv7.make().uuidString.lowercased()
        var found: [String] = []
        for (endpoint, permission) in Self.endpoints {
            let path = endpoint.pattern.split(separator: "/").map { $0.hasPrefix("{") ? id : String($0) }
            let url = "/" + path.joined(separator: "/")
            let page = endpoint.method == "GET" ? try await visit.get(url) : try await visit.post(url, [])
            let isRefused = page.status == 403 && page.says("Your role (\(role.label)) can't do this.")
            if isRefused == role.may(permission) || page.status >= 500 || page.location?.hasPrefix("/login") == true {
                found.append("\(role.name): \(endpoint.method) \(endpoint.pattern) \(page.status)")
            }
        }
        return found
    }

    @Test(
        "S15: a role with one permission may use the endpoints that need it, and no others",
        arguments: Permission.allCases)
    func endpoints(permission: Permission) async throws {
        let site = try await AdminFixture.make()
        #expect(Set(Self.endpoints.map(\.permission)).count == Permission.allCases.count)
        let role = try await site.test.role("solo", [permission])
        #expect(try await differences(role, site) == [])
    }

    @Test(
        "S15: a role with random permissions may use exactly the endpoints of these",
        arguments: TestScale.seeds(1, 2, 3))
    func endpoints(seed: UInt64) async throws {
        let site = try await AdminFixture.make()
        var numbers = SeededGenerator(seed: seed)
        let permissions = Permission.allCases.filter { _ in Bool.random(using: &numbers) }
        let role = try await site.test.role("mixed", Set(permissions))
        #expect(try await differences(role, site) == [])
    }

    // MARK: Pages

    @Test("An administrator defines a role, an account gets it, and the next request has its new permissions")
    func define() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let list = try await visit.visit("/roles")
        #expect(list.says("Curator Preset") && list.says("Read the queue Decide Suggest"))
        var form = try list.form("Create role")
        try form.fill("label", "Moderator")
        try form.fill("name", "moderator")
        try form.tick("permissions", "decide")
        let created = try await visit.press("Create role", in: form)
        #expect(created.url == "/roles/moderator" && created.says("Role created."))
        let role = try #require(try await site.test.database.roles.find("moderator"))
        #expect(role.permissions == [.readQueue, .decide] && !role.isPreset)

        let ann = try await site.account("ann@example.org")
        var choice = try await visit.visit("/accounts/\(ann)").form("Change role")
        try choice.tick("role", "moderator")
        #expect(try await visit.press("Change role", in: choice).says("Role changed to Moderator."))
        #expect(try await site.test.database.accounts.find(ann)?.role == role)
        let cleo = try await site.browser(role, name: "Cleo")
        #expect(try await cleo.get("/queue").status == 200)
        #expect(try await cleo.get("/entries/new?type=article").status == 403)

        var change = try await visit.visit("/roles/moderator").form("Save role")
        try change.fill("label", "Translator")
        try change.tick("permissions", "decide", isOn: false)
        try change.tick("permissions", "suggest")
        let saved = try await visit.press("Save role", in: change)
        #expect(saved.says("Role saved.") && saved.says("Translator"))
        #expect(try await cleo.get("/entries/new?type=article").status == 200)
        #expect(try await cleo.visit("/account").says("Translator"))
    }

    @Test("Invalid input is refused with all errors and kept; a name in use is refused at its field")
    func errors() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let fields = [("label", ""), ("name", "Mod erator"), ("permissions", "decide"), ("permissions", "rule")]
        let wrong = try await visit.post("/roles", fields)
        #expect(wrong.status == 422 && wrong.holds(#"value="Mod erator""#))
        #expect(
            wrong.says("A name starts with a lowercase letter") && wrong.says("Enter a label of 1 to 60 characters."))
        #expect(wrong.says("Choose permissions out of") && wrong.holds(#"value="decide" checked"#))
        let taken = try await visit.post("/roles", [("label", "Second"), ("name", "editor"), ("permissions", "edit")])
        #expect(taken.status == 422 && taken.says("A role with this name already exists."))
        #expect(taken.holds(#"value="Second""#) && taken.holds(#"value="edit" checked"#))

        _ = try await site.test.role("moderator", [.decide])
        let bad = try await visit.post("/roles/moderator", [("label", " "), ("permissions", "suggest")])
        #expect(bad.status == 422 && bad.says("Enter a label of 1 to 60 characters."))
        #expect(bad.holds(#"value="suggest" checked"#) && !bad.holds(#"value="decide" checked"#))
        #expect(try await site.test.database.roles.find("moderator")?.permissions == [.readQueue, .decide])
        #expect(try await visit.get("/roles/nobody").status == 404)
        #expect(try await visit.post("/roles/nobody", [("label", "x")]).status == 404)
    }

    @Test("A preset is shown without a form, and keeps its permissions; its page says why")
    func presets() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let page = try await visit.visit("/roles/editor")
        #expect(page.says("can't be changed") && !page.hasButton("Save role"))
        #expect(page.says("Approve approves revisions") && !page.says("manages accounts"))
        let refused = try await visit.post("/roles/editor", [("label", "Editor"), ("permissions", "publish")])
        #expect(refused.status == 422 && refused.says("This role is part of the program."))
        #expect(try await visit.post("/roles/editor/delete", []).status == 422)
        #expect(try await visit.get("/roles/editor/delete").status == 303)
        #expect(try await site.test.database.roles.list() == Role.presets)
    }

    @Test("An unused role is deleted after a question; one in use is kept, and the page says what to do")
    func delete() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let role = try await site.test.role("moderator", [.decide])
        let asked = try await visit.click("Delete role", on: try await visit.visit("/roles/moderator"))
        #expect(asked.says("Delete the role Moderator?"))
        let actor = try await site.test.actor(role)
        let refused = try await visit.press("Delete role", on: asked)
        #expect(refused.status == 422 && refused.says("Accounts have this role. Give them another role first."))
        #expect(try await visit.visit("/roles/moderator").says("This role is in use"))
        try await site.test.services.manageAccount.setRole(ID(actor.rowID), .curator, by: TestDatabase.administrator)
        let again = try await visit.visit("/roles/moderator/delete")
        let done = try await visit.press("Delete role", on: again)
        #expect(done.url == "/roles" && done.says("Role Moderator deleted."))
        #expect(try await site.test.database.roles.find("moderator") == nil)
        let event = try await visit.visit("/audit?action=role.delete")
        #expect(event.says("role.delete"))
        let gone = try await visit.post("/accounts/\(actor.rowID)/role", [("role", "moderator")])
        #expect(gone.status == 422 && gone.says("Choose a role."))
    }

    @Test("The last administrator can't be lost by changing a role; the form keeps what was chosen")
    func lastAdministrator() async throws {
        let site = try await AdminFixture.make()
        let role = try await site.test.role("caretaker", [.administer])
        let visit = try await site.browser(role)
        let refused = try await visit.post("/roles/caretaker", [("label", "Helper"), ("permissions", "edit")])
        #expect(refused.status == 422 && refused.says("last active administrator"))
        #expect(refused.holds(#"value="Helper""#) && refused.holds(#"value="edit" checked"#))
        _ = try await site.test.actor(.administrator)
        let done = try await visit.post("/roles/caretaker", [("label", "Helper"), ("permissions", "edit")])
        #expect(done.status == 303)
        #expect(try await visit.get("/roles").status == 403)
    }

    @Test("Assignees and stages offer a team's roles after the presets")
    func menus() async throws {
        let site = try await AdminFixture.make()
        _ = try await site.test.role("moderator", [.decide])
        let id = try await site.submit("First")
        let visit = try await site.browser(.administrator)
        var form = try await visit.visit("/queue/\(id)").form("Assign")
        try form.fill("assignee", "role:moderator")
        #expect(try await visit.press("Assign", in: form).says("Moderator"))
        let filtered = try await visit.visit("/queue?assignee=role:moderator")
        #expect(filtered.says("First") && filtered.holds(#"value="role:moderator" selected"#))
        #expect(!(try await visit.visit("/queue?assignee=role:editor").says("First")))
        let unknown = try await visit.post("/queue/\(id)/assign", [("assignee", "role:nobody")])
        #expect(unknown.status == 422 && unknown.says("Choose one of the roles."))

        let stages = try await visit.post(
            "/review-stages",
            [("scope", "type:article"), ("name_0", "Check"), ("role_0", "moderator"), ("approvals_0", "2")])
        #expect(stages.status == 303)
        #expect(try await visit.visit("/review-stages").says("Check: 2 approvals by Moderator"))
        let gone = try await visit.post(
            "/review-stages",
            [("scope", "type:article"), ("name_0", "Check"), ("role_0", "nobody"), ("approvals_0", "2")])
        #expect(gone.status == 422 && gone.says("There is no role"))
        #expect(try await visit.visit("/queue/\(id)").says("0 of 2 approvals by Moderator"))
    }
}
