// Which submission may be decided how, and what may be undone.
import Domain
import FoundationEssentials
import Testing

@Suite struct DecisionTests {
    func draft(_ verdict: Verdict) -> Decision.Draft {
        switch verdict {
        case .accept: Decision.Draft(verdict: .accept)
        case .reject: Decision.Draft(verdict: .reject, reason: .spam)
        case .return: Decision.Draft(verdict: .return, message: "Please add a link.")
        case .duplicate: Decision.Draft(verdict: .duplicate)
        }
    }

    @Test(
        "every pair of state and verdict is allowed or a conflict", arguments: SubmissionState.allCases,
        Verdict.allCases)
    func states(state: SubmissionState, verdict: Verdict) {
        let isAllowed = state == .pending || (state == .returned && verdict != .return)
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
        #expect(Verdict.allCases.map(\.state) == [.accepted, .rejected, .returned, .duplicate])
        #expect(Verdict(rawValue: "return") == .return)
    }

    @Test("a rejection needs a reason, a wish for changes and another reason need a message")
    func whole() {
        func found(_ draft: Decision.Draft) -> [String] { problems { try draft.check(on: .pending) } }
        #expect(found(.init(verdict: .reject)) == ["required /reason"])
        #expect(found(.init(verdict: .accept, reason: .spam)) == ["unknown_field /reason"])
        #expect(found(.init(verdict: .return)) == ["required /message"])
        #expect(found(.init(verdict: .return, message: " \u{200B}\n")) == ["required /message"])
        #expect(found(.init(verdict: .reject, reason: .other)) == ["required /message"])
        #expect(found(.init(verdict: .reject, reason: .other, message: "It is a test.")) == [])
        #expect(found(.init(verdict: .accept, message: String(repeating: "é", count: 2000))) == [])
        #expect(found(.init(verdict: .accept, message: String(repeating: "é", count: 2001))) == ["too_long /message"])
        #expect(found(.init(verdict: .accept, message: "\0a")) == ["control_characters /message"])
    }

    @Test("what belongs to an acceptance is refused elsewhere, all of it at once")
    func placing() {
        let ids = [ID<Entry>(UUID())]
        var draft = Decision.Draft(verdict: .accept, edits: [:], feeds: ids, categories: ids, goLive: .now)
        #expect(problems { try draft.check(on: .pending) } == [])
        draft.verdict = .duplicate
        #expect(
            problems { try draft.check(on: .pending) } == [
                "unknown_field /edits", "unknown_field /feeds", "unknown_field /categories", "unknown_field /go_live",
            ])
    }

    @Test("a decision may be undone until something of it is published", arguments: SubmissionState.allCases)
    func undo(state: SubmissionState) {
        if state == .pending {
            #expect(throws: Failure.self) { try Decision.checkUndo(of: state, isPublished: false) }
        } else {
            #expect(throws: Never.self) { try Decision.checkUndo(of: state, isPublished: false) }
        }
        #expect(throws: Failure.self) { try Decision.checkUndo(of: state, isPublished: true) }
    }

    @Test("every reason and verdict has a label of its own")
    func labels() {
        #expect(Set(RejectReason.allCases.map(\.label)).count == RejectReason.allCases.count)
        #expect(Set(Verdict.allCases.map(\.label)).count == Verdict.allCases.count)
    }
}
