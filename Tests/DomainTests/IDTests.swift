// Tests the parsing and formatting of IDs.
import Domain
import FoundationEssentials
import Testing

@Suite struct IDTests {
    let text = "01890a5d-ac96-774b-bcce-b302099a8057"

    @Test("an ID is formatted in lowercase")
    func roundTrip() throws {
        let id = try #require(ID<Entry>(text.uppercased()))
        #expect(id.description == text)
        #expect(ID<Entry>(id.description) == id)
        #expect(id.uuid.uuidString == text.uppercased())
        for _ in 0..<100 {
            let uuid = UUID()
            #expect(ID<Entry>(uuid).description == uuid.uuidString.lowercased())
        }
    }

    @Test(
        "anything but 8-4-4-4-12 hexadecimal digits is rejected",
        arguments: [
            "", "01890a5d-ac96-774b-bcce-b302099a805", "01890a5d-ac96-774b-bcce-b302099a80570",
            "01890a5dac96774bbcceb302099a8057", "{1890a5d-ac96-774b-bcce-b302099a805}",
            "01890a5d-ac96-774b-bcce-b302099a805g", "01890a5dxac96-774b-bcce-b302099a8057",
            "01890a5d-ac96-774b-bcce-b302099a80\u{e9}",
        ])
    func refused(text: String) {
        #expect(ID<Entry>(text) == nil)
    }

    @Test("an ID is a string in JSON")
    func json() throws {
        let id = try #require(ID<Entry>(text))
        #expect(try JSONEncoder().encode([id]) == Data("[\"\(text)\"]".utf8))
        #expect(try JSONDecoder().decode([ID<Entry>].self, from: Data("[\"\(text)\"]".utf8)) == [id])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([ID<Entry>].self, from: Data("[\"x\"]".utf8)) }
    }
}
