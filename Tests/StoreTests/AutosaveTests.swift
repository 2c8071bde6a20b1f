// Tests the text of forms that are not saved: its owner, its bounds, the order of requests, and when it is deleted.
import Domain
import FoundationEssentials
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Autosaves", .databases)
struct AutosaveTests {
    private let form = "/entries/new?type=article"

    private func pairs(_ title: String) -> JSONValue { .array([.array(["field.title", .string(title)])]) }

    private func draft(
        _ title: String = "A walk", form: String? = nil, tab: String = "one", from: String = "", _ sequence: Int64 = 1
    ) -> AutosaveDraft {
        AutosaveDraft(
            form: form ?? self.form, title: "New article", tab: tab, from: from, sequence: sequence,
            fields: pairs(title))
    }

    private func isSaved(_ result: AutosaveResult) -> Bool {
        if case .saved = result { true } else { false }
    }

    private func account(_ test: TestDatabase) async throws -> ID<Account> {
        ID(try #require(try await test.actor(.curator).id))
    }

    @Test("Only its owner reads, replaces and removes what was typed")
    func owner() async throws {
        let test = try await TestDatabase.make()
        let (ann, bob) = (try await account(test), try await account(test))
        let autosaves = test.database.autosaves
        #expect(try await isSaved(autosaves.save(draft("Ann's"), of: ann)))
        #expect(try await autosaves.find(form, of: bob) == nil)
        #expect(try await autosaves.list(of: bob).isEmpty)
        #expect(try await isSaved(autosaves.save(draft("Bob's"), of: bob)))
        try await autosaves.discard([form], of: bob)
        try await autosaves.finish(form, tab: "one", from: "", sequence: 9, of: bob)
        #expect(try await autosaves.find(form, of: ann)?.fields == pairs("Ann's"))
        #expect(try await autosaves.list(of: ann).map(\.title) == ["New article"])
    }

    @Test("Requests of a tab count in the order of typing, however they arrive")
    func order() async throws {
        let test = try await TestDatabase.make()
        let ann = try await account(test)
        let autosaves = test.database.autosaves
        #expect(try await isSaved(autosaves.save(draft("second", 2), of: ann)))
        #expect(try await autosaves.save(draft("first", 1), of: ann) == .outdated)
        #expect(try await autosaves.save(draft("again", 2), of: ann) == .outdated)
        #expect(try await autosaves.find(form, of: ann)?.fields == pairs("second"))
        #expect(try await isSaved(autosaves.save(draft("third", 3), of: ann)))
        // The form is saved; a request that was on its way restores nothing, later typing does.
        try await autosaves.finish(form, tab: "one", from: "", sequence: 5, of: ann)
        #expect(try await autosaves.find(form, of: ann)?.fields == nil)
        #expect(try await autosaves.save(draft("late", 5), of: ann) == .outdated)
        #expect(try await autosaves.list(of: ann).isEmpty)
        #expect(try await isSaved(autosaves.save(draft("new", 6), of: ann)))
        #expect(try await autosaves.list(of: ann).count == 1)
    }

    @Test("What was on its way when a text was discarded restores nothing; later typing does")
    func discarded() async throws {
        let test = try await TestDatabase.make()
        let ann = try await account(test)
        let autosaves = test.database.autosaves
        #expect(try await isSaved(autosaves.save(draft("one", 1), of: ann)))
        try await autosaves.discard([form], tab: "one", sequence: 3, of: ann)
        #expect(try await autosaves.list(of: ann).isEmpty)
        for late in [2, 3] as [Int64] {
            #expect(try await autosaves.save(draft("late", late), of: ann) == .outdated)
        }
        #expect(try await isSaved(autosaves.save(draft("new", 4), of: ann)))
        // A tab that shows the text of another, and was about to take it over.
        try await autosaves.discard([form], tab: "two", sequence: 3, of: ann)
        #expect(try await autosaves.save(draft("late", tab: "two", from: "one", 3), of: ann) == .outdated)
        #expect(try await isSaved(autosaves.save(draft("new", tab: "two", from: "two", 4), of: ann)))
        // A page without script.
        try await autosaves.discard([form], of: ann)
        #expect(try await autosaves.save(draft("late", tab: "two", 4), of: ann) == .outdated)
        #expect(try await autosaves.list(of: ann).isEmpty)
    }

    @Test("The text of another tab is replaced and removed only by a tab that continues it")
    func tabs() async throws {
        let test = try await TestDatabase.make()
        let ann = try await account(test)
        let autosaves = test.database.autosaves
        #expect(try await isSaved(autosaves.save(draft("one"), of: ann)))
        #expect(try await autosaves.save(draft("two", tab: "two", 99), of: ann) == .outdated)
        try await autosaves.finish(form, tab: "two", from: "", sequence: 100, of: ann)
        try await autosaves.finish(form, tab: "", from: "", sequence: 0, of: ann)
        #expect(try await autosaves.find(form, of: ann)?.fields == pairs("one"))
        #expect(try await isSaved(autosaves.save(draft("two", tab: "two", from: "one"), of: ann)))
        #expect(try await autosaves.find(form, of: ann)?.tab == "two")
        try await autosaves.finish(form, tab: "", from: "two", sequence: 0, of: ann)
        #expect(try await autosaves.find(form, of: ann) == nil)
        let save = test.services.saveAutosave
        guard case .saved = try await save(draft("three", tab: "three"), of: ann),
            case .elsewhere(let row) = try await save(draft("four", tab: "four"), of: ann)
        else { throw Failure.missing("outcome") }
        #expect(row.tab == "three")
        guard case .saved = try await save(draft("four", tab: "four"), of: ann, isForced: true) else {
            throw Failure.missing("outcome")
        }
        #expect(try await autosaves.find(form, of: ann)?.fields == pairs("four"))
    }

    @Test("At most 4 MiB, 300 characters of a path on this site, and 50 forms, none of which is deleted for another")
    func bounds() async throws {
        let test = try await TestDatabase.make()
        let ann = try await account(test)
        let autosaves = test.database.autosaves
        let overhead = pairs("").canonicalText.utf8.count
        let most = String(repeating: "x", count: AutosaveStore.maxBytes - overhead)
        #expect(try await isSaved(autosaves.save(draft(most), of: ann)))
        await #expect(throws: Failure.self) { try await autosaves.save(draft(most + "x", 2), of: ann) }
        let path = "/" + String(repeating: "a", count: 299)
        #expect(try await isSaved(autosaves.save(draft(form: path), of: ann)))
        for wrong in [path + "a", "//evil.example", "https://evil.example", "/a b", "/\\evil", "", "/"] {
            await #expect(throws: Failure.self, "\(wrong)") { try await autosaves.save(draft(form: wrong), of: ann) }
        }
        await #expect(throws: Failure.self) {
            try await autosaves.save(draft(tab: String(repeating: "t", count: 41)), of: ann)
        }
        // With the two from above.
        for number in 1...48 {
            #expect(try await isSaved(autosaves.save(draft(form: "/entries/\(number)"), of: ann)), "\(number)")
        }
        #expect(try await autosaves.save(draft(form: "/entries/49"), of: ann) == .full)
        let forms = try await autosaves.list(of: ann).map(\.form)
        #expect(forms.count == 50 && forms.first == "/entries/48" && forms.contains(path) && forms.contains(form))
        #expect(try await isSaved(autosaves.save(draft("A longer walk", form: "/entries/48", 2), of: ann)))
        try await autosaves.discard(["/entries/48"], of: ann)
        #expect(try await isSaved(autosaves.save(draft(form: "/entries/49"), of: ann)))
        #expect(try await autosaves.save(draft(form: "/entries/48", 3), of: ann) == .full)
        // Saved forms are removed, texts are not.
        for number in 52...60 {
            try await autosaves.finish("/entries/\(number)", tab: "one", from: "", sequence: 1, of: ann)
        }
        #expect(try await isSaved(autosaves.save(draft(form: "/entries/49", 2), of: ann)))
        #expect(try await autosaves.list(of: ann).count == 50)
        #expect(try await autosaves.find("/entries/60", of: ann) == nil)
    }

    @Test("A text with which those of an account are more than 16 MiB is refused, and all others stay")
    func total() async throws {
        let test = try await TestDatabase.make()
        let (ann, bob) = (try await account(test), try await account(test))
        let autosaves = test.database.autosaves
        _ = try await autosaves.save(draft("Bob's", form: "/a1"), of: bob)
        try await test.client.execute(
            """
            insert into ops.autosave (account_id, form, tab, sequence, saved_at, fields)
            select \(ann)::uuid, '/a' || n, 'one', 1, now() - n * interval '1 minute',
                json_build_array(json_build_array('field.title', repeat('x ', 2000000)))
            from generate_series(1, 4) n
            """)
        let used: Int = try await test.client.one(
            "select sum(bytes)::bigint as used from ops.autosave where account_id = \(ann)::uuid")("used")
        let left = AutosaveStore.totalBytes - used - pairs("").canonicalText.utf8.count
        let long = String(repeating: "x", count: left)
        #expect(try await autosaves.save(draft(long + "x", form: "/a0"), of: ann) == .full)
        #expect(try await autosaves.find("/a0", of: ann) == nil)
        #expect(try await isSaved(autosaves.save(draft(long, form: "/a0"), of: ann)))
        #expect(try await autosaves.save(draft(long + "x", form: "/a0", 2), of: ann) == .full)
        #expect(try await autosaves.save(draft("short", form: "/a6"), of: ann) == .full)
        #expect(try await isSaved(autosaves.save(draft("shorter", form: "/a1", 2), of: ann)))
        #expect(try await isSaved(autosaves.save(draft("short", form: "/a6"), of: ann)))
        #expect(try await autosaves.list(of: ann).map(\.form) == ["/a6", "/a1", "/a0", "/a2", "/a3", "/a4"])
        #expect(try await autosaves.list(of: ann, limit: 3).last?.start?.count == 1000)
        #expect(try await autosaves.list(of: bob).map(\.form) == ["/a1"])
    }

    @Test("S44: passwords, codes and tokens are never stored, content with such names is")
    func secrets() async throws {
        let test = try await TestDatabase.make()
        let ann = try await account(test)
        let names = [
            "csrf", "once", "password", "new_password", "current", "code", "secret", "client_secret", "token",
            "autosave",
            "autosave.tab", "action", "field.password_hint", "field.title", "note",
        ]
        let fields = JSONValue.array(names.map { .array([.string($0), "typed"]) } + [.string("malformed")])
        let draft = AutosaveDraft(form: form, title: "", tab: "one", from: "", sequence: 1, fields: fields)
        _ = try await test.services.saveAutosave(draft, of: ann)
        let stored = try await test.database.autosaves.find(form, of: ann)?.fields?.arrayValue ?? []
        #expect(
            stored.compactMap { $0.arrayValue?.first?.stringValue } == ["field.password_hint", "field.title", "note"])
    }

    @Test("Text is deleted 30 days after its last change, and with its account")
    func deletion() async throws {
        let test = try await TestDatabase.make()
        let ann = try await account(test)
        let autosaves = test.database.autosaves
        for form in ["/a1", "/a2"] { _ = try await autosaves.save(draft(form: form), of: ann) }
        try await test.client.execute(
            """
            update ops.autosave set saved_at = now() - interval '30 days'
                + case form when '/a1' then interval '0' else interval '1 minute' end
            """)
        try await autosaves.sweep()
        #expect(try await autosaves.list(of: ann).map(\.form) == ["/a1", "/a2"].filter { $0 == "/a2" })
        try await test.client.transaction { transaction in
            try await transaction.execute("alter table ops.session disable trigger all")
            try await transaction.execute("delete from ops.session where account_id = \(ann)")
            try await transaction.execute("alter table ops.account disable trigger user")
            try await transaction.execute("delete from ops.account where id = \(ann)")
        }
        #expect(try await autosaves.list(of: ann).isEmpty)
    }
}
