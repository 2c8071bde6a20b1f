// Tests the text of positions in the change feed and in the events.
import Domain
import Testing

@Suite("Positions")
struct ChangePositionTests {
    @Test(
        "R32: a position is read back from its text; the start is 0",
        arguments: ["0", "812-57-9f3ac1e07b52", "0-1-0123456789ab"])
    func roundTrip(text: String) throws {
        #expect(try #require(ChangePosition(text)).text == text)
    }

    @Test("R32: number and tag are read back from their text; none is 0", arguments: ["0", "57-9f3ac1e07b52"])
    func tagged(text: String) throws {
        #expect(try #require(TaggedNumber(text)).text == text)
    }

    @Test(
        "Nothing else is a position",
        arguments: [
            "", "1", "-", "1-2", "1-0", "812-57-", "812-57-9f3ac1e07b5", "812-57-9f3ac1e07b521", "812-57-9F3AC1E07B52",
            "812-057-9f3ac1e07b52", "0812-57-9f3ac1e07b52", "812-0-9f3ac1e07b52", "-1-57-9f3ac1e07b52",
            "+1-57-9f3ac1e07b52", "٣-57-9f3ac1e07b52", "9223372036854775808-57-9f3ac1e07b52", "812-57-9f3ac1e07b52-",
        ])
    func malformed(text: String) {
        #expect(ChangePosition(text) == nil)
    }

    @Test(
        "Nothing else is a number with a tag",
        arguments: ["", "1", "00", "0-9f3ac1e07b52", "57-9f3ac1e07b5g", "57_9f3ac1e07b52"])
    func malformedNumber(text: String) {
        #expect(TaggedNumber(text) == nil)
    }
}
