// Tests finding entries by their names.
import Domain
import Testing

@Suite struct NameIndexTests {
    private static func id(_ number: Int) throws -> ID<Entry> {
        try #require(ID("00000000-0000-7000-8000-00000000000\(number)"))
    }

    private static func index() throws -> NameIndex {
        var index = NameIndex()
        try index.add(id(1), named: "C", slug: "c")
        try index.add(id(2), named: "C#", slug: "c-2")
        try index.add(id(3), named: "Fish and chips", others: ["Chippy", "C++"], slug: "fish-and-chips")
        try index.add(id(4), named: "Park", slug: "park")
        try index.add(id(5), named: "park", slug: "park-2")
        try index.add(id(6), named: "Chip shop", others: ["Chippy"], slug: "takeaway")
        try index.add(id(7), named: "🍕", slug: "entry")
        // again, as by its merged category
        try index.add(id(7), named: "🍕", others: ["Pizza"], slug: "pizza-pie")
        return index
    }

    @Test(
        "The exact name comes first, then other case and spacing, synonyms and slugs; several are several",
        arguments: [
            ("C", [1]), ("c", [1]), (" C ", [1]), ("C#", [2]), ("c#", [2]), ("c-2", [2]), ("C-2", [2]), ("C+", []),
            ("C-", []), ("-c", []), ("_C_", []), ("fish - and - chips", [3]), ("fish-and_chips", [3]),
            ("fish- and chips", []),
            ("fish_and_chips", [3]), ("FISH-and  chips", [3]), ("c++", [3]), ("fishandchips", []), ("Chippy", [3, 6]),
            ("Park", [4]), ("park", [5]), ("PARK", [4, 5]), ("park-2", [5]), ("Takeaway", [6]), ("take away", []),
            ("🍕", [7]), ("🎏", []), ("entry", [7]), ("pizza", [7]), ("", []), ("-", []),
        ])
    func levels(text: String, found: [Int]) throws {
        let ids = try found.map(Self.id)
        let match: NameIndex.Match = ids.isEmpty ? .unknown : ids.count == 1 ? .one(ids[0]) : .several(ids)
        #expect(try Self.index().find(text) == match)
        #expect(match.only == (ids.count == 1 ? ids[0] : nil))
    }
}
