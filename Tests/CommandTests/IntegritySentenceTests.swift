// Tests what "audit verify" says about changes and events that don't belong together.
import Testing

@testable import Store
@testable import vitrine

@Suite("Sentences of \"audit verify\"")
struct IntegritySentenceTests {
    private func sentence(_ type: String, _ id: String?, event: Int? = nil) -> String {
        AuditCommand.sentence(
            for: IntegrityReport.Unpaired(
                problem: event == nil ? "no_event" : "no_change", objectType: type, objectID: id, event: event))
    }

    @Test("An event, a change of an object and a change of a table have sentences of their own")
    func kinds() {
        #expect(sentence("role", "moderator.uk", event: 7) == "Event 7 on role moderator.uk belongs to no change.")
        #expect(sentence("note", "0197c0de") == "The change of note 0197c0de has no event of its author.")
        #expect(sentence("publication", nil) == "The change of publication has no event of its author.")
        #expect(sentence("ops.role", nil) == "The table ops.role was changed without any event.")
    }
}
