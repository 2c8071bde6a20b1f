// Tests which verdicts are possible in each state, and what can be undone.
import Domain
import FoundationEssentials
import Testing

@Suite struct DecisionTests {
    func draft(_ verdict: Verdict) -> Decision.Draft {
        switch verdict {
        case .approve: Decision.Draft(verdict: .approve)
        case .reject: Decision.Draft(verdict: .reject, reason: .spam)
        case .requestChanges: Decision.Draft(verdict: .requestChanges, message: "Please add a link.")
        case .duplicate: Decision.Draft(verdict: .duplicate, original: .entry(ID(UUID())))
        }
    }

    @Test(
        "every pair of state and verdict is allowed or a conflict", arguments: SubmissionState.allCases,
        Verdict.allCases)
    func states(state: SubmissionState, verdict: Verdict) {
        let isAllowed = state == .pending || (state == .changesRequested && verdict != .requestChanges)
        do {
            try draft(verdict).check(on: state)
            #expect(isAllowed)
        } catch {
            guard case .conflict("already_decided", _) = error else { return #expect(Bool(false), "\(error)") }
            #expect(!isAllowed)
        }
    }

    @Test("a verdict leads to its state")
    func leads() {
        #expect(Verdict.allCases.map(\.state) == [.approved, .rejected, .changesRequested, .duplicate])
        #expect(Verdict(rawValue: "request_changes") == .requestChanges)
    }

    @Test("a rejection requires a reason; requested changes and the reason \"other\" require a message")
    func whole() {
        func found(_ draft: Decision.Draft) -> [String] { problems { try draft.check(on: .pending) } }
        #expect(found(.init(verdict: .reject)) == ["required /reason"])
        #expect(found(.init(verdict: .approve, reason: .spam)) == ["unknown_field /reason"])
        #expect(found(.init(verdict: .requestChanges)) == ["required /message"])
        #expect(found(.init(verdict: .requestChanges, message: " \u{200B}\n")) == ["required /message"])
        #expect(found(.init(verdict: .reject, reason: .other)) == ["required /message"])
        #expect(found(.init(verdict: .reject, reason: .other, message: "It is a test.")) == [])
        #expect(found(.init(verdict: .approve, message: String(repeating: "é", count: 2000))) == [])
        #expect(found(.init(verdict: .approve, message: String(repeating: "é", count: 2001))) == ["too_long /message"])
        #expect(found(.init(verdict: .approve, message: "\0a")) == ["control_characters /message"])
    }

    @Test("a duplicate requires an original; other verdicts have none")
    func originals() {
        func found(_ draft: Decision.Draft) -> [String] { problems { try draft.check(on: .pending) } }
        let original = Original.submission(ID(UUID()))
        #expect(found(.init(verdict: .duplicate)) == ["required /duplicate_of"])
        #expect(found(.init(verdict: .duplicate, original: original)) == [])
        #expect(found(.init(verdict: .approve, original: original)) == ["unknown_field /duplicate_of"])
    }

    @Test("a submission is snoozed for 1 hour to 366 days")
    func snooze() {
        func found(_ hours: Int) -> [String] { problems { try SnoozeTime.hours(hours).check() } }
        #expect(found(0) == ["range /until"] && found(1) == [])
        #expect(found(366 * 24) == [] && found(366 * 24 + 1) == ["range /until"])
    }

    @Test("an assignee is an account or a role, with a text form for forms and URLs")
    func assignees() {
        let id = ID<Account>(UUID())
        #expect(Assignee(id.description) == .account(id))
        for role in Role.presets { #expect(Assignee("role:\(role.name)") == .role(role.name)) }
        for text in ["", "role:", "role:Boss", "somebody"] { #expect(Assignee(text) == nil) }
        #expect(Assignee.role("editor").text == "role:editor" && Assignee.account(id).text == id.description)
    }

    @Test("a note has 1 to 2000 characters and is trimmed")
    func notes() throws {
        #expect(try StaffNote.check(" \r\n Look.\r\nAgain. \n") == "Look.\nAgain.")
        #expect(problems { _ = try StaffNote.check(" \u{200B} ") } == ["required /text"])
        #expect(try StaffNote.check(String(repeating: "a", count: 2000)).count == 2000)
        #expect(problems { _ = try StaffNote.check(String(repeating: "a", count: 2001)) } == ["too_long /text"])
        #expect(problems { _ = try StaffNote.check("\0a") } == ["control_characters /text"])
    }

    @Test(
        "a note mentions people by @ and their full name, or a unique first name",
        arguments: [
            ("@Ann Example, please", [1]), ("please @bob", [3]), ("@ann", []), ("@Ann Other and @Bob", [2, 3]),
            ("@bobby", []), ("@Bob's turn", [3]), ("ann example", []), ("mail me at x@bob.example", [3]), ("@", []),
        ])
    func mentions(text: String, named: [Int]) {
        let people = [(person: 1, name: "Ann Example"), (person: 2, name: "Ann Other"), (person: 3, name: "Bob")]
        #expect(StaffNote.mentioned(in: text, among: people) == named)
    }

    @Test(
        "a mention that names nobody, or a first name of several people, is reported; an email address is none",
        arguments: [
            ("@Ann Example, please", []), ("please @bob", []), ("@ann", ["@ann"]),
            ("@Ann Other and @Bobby", ["@Bobby"]),
            ("@Bob's turn, @Zoe, @Zoe", ["@Zoe"]), ("mail me at x@bob.example", []), ("@", []), ("@ bob, @7", []),
        ])
    func unknownMentions(text: String, unknown: [String]) {
        #expect(StaffNote.unknownMentions(in: text, among: ["Ann Example", "Ann Other", "Bob"]) == unknown)
    }

    @Test("input for an approval is rejected in other verdicts, all of it at once")
    func placing() {
        let ids = [ID<Entry>(UUID())]
        var draft = Decision.Draft(verdict: .approve, edits: [:], feeds: ids, categories: ids, publishTiming: .now)
        #expect(problems { try draft.check(on: .pending) } == [])
        draft.verdict = .duplicate
        draft.original = .entry(ids[0])
        #expect(
            problems { try draft.check(on: .pending) } == [
                "unknown_field /edits", "unknown_field /feeds", "unknown_field /categories", "unknown_field /publish",
            ])
    }

    @Test("every reason and verdict has a unique label")
    func labels() {
        #expect(Set(RejectReason.allCases.map(\.label)).count == RejectReason.allCases.count)
        #expect(Set(Verdict.allCases.map(\.label)).count == Verdict.allCases.count)
    }
}
