// Tests that the admin's forms cover all content management tasks (B58).
import Domain
import Store
import TestSupport
import Testing

@Suite("Content management", .databases)
struct ContentManagementTests {
    @Test(
        "B58, B16, B26, B29, B34, B51, B59, B60, B61, B64: onboarding, cities, categories, places, promotions, texts, accounts and imports are edited in the admin and published",
        .packs(.places))
    func everything() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        func make(_ type: String, _ input: [(String, String)]) async throws -> BrowserPage {
            let form = try await visit.get("/entries/new?type=\(type)")
            #expect(form.status == 200, "\(type)")
            return try await visit.fill(form, "/entries", input + [("action", "now")])
        }
        // B26: a city with its center
        let city = try await make(
            "city", [("field.title", "Hull"), ("field.center", "53.7"), ("field.center", "-0.3")])
        #expect(city.status == 303)
        #expect(try await site.rows("city", "name") == ["Hull"])
        // B29: a category in one of two groups; no third group
        let group = "00000000-0000-7000-8000-000000000012"
        let category = try await make("category", [("field.title", "Café"), ("field.group", group)])
        #expect(category.status == 303)
        #expect(try await visit.get("/categories").holds("Café"))
        let third = try await make(
            "category_group", [("field.title", "Mood"), ("field.slug", "mood"), ("field.number", "3")])
        #expect((400..<500).contains(third.status))
        #expect(try await site.rows("category_group", "id").count == 2)
        // B34: a place with name, image, address and category; not without its address
        let cityID = try #require(city.entry).description
        let place: [(String, String)] = [
            ("field.title", "Anchor"), ("field.city", cityID), ("field.image", "https://images.example/a.jpg"),
            ("field.point", "53.7"), ("field.point", "-0.3"),
            ("field.categories", try #require(category.entry).description),
        ]
        #expect(try await make("place", place).status == 422)
        let created = try await make("place", place + [("field.address", "1 Quay")])
        #expect(created.status == 303)
        #expect(try await site.rows("place", "address") == ["1 Quay"])
        #expect(try await site.rows("category", "name").contains("Café"), "a category with an item is shown")
        // B51: a named promotion that ends after it starts
        let promotion: [(String, String)] = [
            ("field.title", "Pizza Fridays"), ("field.place", try #require(created.entry).description),
            ("field.starts_at", "2099-01-01T10:00:00Z"),
        ]
        #expect(try await make("promotion", promotion + [("field.ends_at", "2099-01-01T10:00:00Z")]).status == 422)
        #expect(try await make("promotion", promotion + [("field.ends_at", "2099-01-02T10:00:00Z")]).status == 303)
        #expect(try await visit.get("/promotions").holds("Pizza Fridays"))
        try await onboarding(site, visit)
        try await texts(site, visit)
        try await people(site, visit)
        // B64: an import
        let table = "id,name,address,lat,lon\n1,Bell,2 Quay,53.7,-0.3\n"
        let plan = try await visit.post(
            "/import/plan",
            [
                ("type", "place"), ("source", "list"), ("city", "hull"), ("category", "cafe"), ("after", "now"),
                ("image", "https://images.example/b.jpg"), ("text", table),
            ])
        #expect(plan.holds("1 new</span>"))
        #expect(try await visit.post("/import", plan.form(to: "/import")).status == 303)
        #expect(try await site.rows("place", "name") == ["Anchor", "Bell"])
        #expect(try await site.test.database.publications.verify().isEmpty)
    }

    /// B16, B59: a set needs two screens.
    private func onboarding(_ site: AdminFixture, _ visit: Browser) async throws {
        let fresh = try await visit.get("/entries/new?type=onboarding_set")
        let first = [
            ("field.title", "First start"), ("field.key", "onboarding.first"), ("field.locale", "en"),
            ("field.screens.0.text", "Find places."), ("field.screens.0.image", "https://images.example/1.png"),
        ]
        let one = try await visit.fill(fresh, "/entries", first + [("action", "now")])
        #expect((400..<500).contains(one.status))
        let two = try await visit.fill(fresh, "/entries", first + [("rows", "screens add")])
        let saved = try await visit.fill(
            two, "/entries",
            [
                ("field.screens.1.text", "Keep them."), ("field.screens.1.image", "https://images.example/2.png"),
                ("action", "now"),
            ])
        #expect(saved.status == 303)
        #expect(try await site.rows("onboarding_screen", "text") == ["Find places.", "Keep them."])
        #expect(try await visit.get("/onboarding").holds("First start"))
    }

    /// B61: a new key needs no code.
    private func texts(_ site: AdminFixture, _ visit: Browser) async throws {
        let fresh = try await visit.get("/entries/new?type=text")
        let saved = try await visit.fill(
            fresh, "/entries",
            [
                ("field.title", "Contact"), ("field.key", "site.contact"), ("field.section", "website"),
                ("field.format", "plain"), ("field.values.0.locale", "en"), ("field.values.0.value", "Write to us."),
                ("action", "now"),
            ])
        #expect(saved.status == 303)
        #expect(try await site.rows("text", "value").contains("Write to us."))
        #expect(try await visit.get("/texts").holds("site.contact"))
    }

    /// B60: creating an account queues one mail.
    private func people(_ site: AdminFixture, _ visit: Browser) async throws {
        let page = try await visit.get("/accounts")
        let created = try await visit.fill(
            page, "/accounts", [("email", "ann@example.org"), ("name", "Ann"), ("role", "curator")])
        #expect(created.status == 303)
        let mails = try await site.test.database.backgroundTasks.page(kind: .mail, state: nil, limit: 9).items
        #expect(mails.map(\.recipient) == ["ann@example.org"])
        #expect(try await visit.get("/tasks?kind=mail").holds("been invited"))
    }
}
