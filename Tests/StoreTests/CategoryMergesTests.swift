// Tests what the names of merged categories mean when their targets are not usable.
import Domain
import FoundationEssentials
import Testing

@testable import Store

@Suite("Merges of categories")
struct CategoryMergesTests {
    private static func id(_ number: UInt8) -> ID<Entry> {
        ID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, number)))
    }

    /// Categories 1, 2, …, each with the number of the one that it was merged into.
    private static func merges(_ targets: [UInt8?], archived: Set<UInt8> = []) -> CategoryMerges {
        CategoryMerges(
            targets.enumerated().map { index, target in
                let number = UInt8(index + 1)
                return EntryName(
                    id: id(number), slug: "slug-\(number)", title: "Title \(number)", otherNames: ["Other \(number)"],
                    isLive: true, isArchived: archived.contains(number), mergedInto: target.map(id))
            })
    }

    @Test("All names of a merged category mean the end of its chain; IDs do where they are asked for")
    func chain() {
        let merges = Self.merges([2, 3, nil])
        #expect([1, 2, 3].map { merges.target(of: Self.id($0)) } == [Self.id(3), Self.id(3), Self.id(3)])
        let names = merges.names { !$0.isArchived }.usable
        for name in ["Title 1", "title 2", "other 1", "slug-2", "Title 3"] {
            #expect(names.find(name) == .one(Self.id(3)), "\(name)")
        }
        #expect(names.find(Self.id(1).description) == .unknown)
        let withIDs = merges.names(byID: true) { !$0.isArchived }.usable
        #expect(withIDs.find(Self.id(1).description) == .one(Self.id(3)))
    }

    @Test("The names of archived categories, and of those merged into them, are not unknown")
    func archived() {
        let names = Self.merges([2, nil, nil], archived: [2]).names { !$0.isArchived }
        for name in ["Title 1", "Title 2"] {
            #expect(names.usable.find(name) == .unknown && names.others.find(name) == .one(Self.id(2)), "\(name)")
        }
        #expect(names.usable.find("Title 3") == .one(Self.id(3)))
        // Archived after it was merged.
        let merged = Self.merges([2, nil], archived: [1]).names { !$0.isArchived }
        #expect(merged.usable.find("Title 1") == .unknown && merged.others.find("Title 1") == .one(Self.id(1)))
    }

    @Test("A circle of merges has no target")
    func circle() {
        let merges = Self.merges([2, 1])
        #expect(merges.target(of: Self.id(1)) == nil)
        #expect(merges.names { _ in true }.usable.find("Title 1") == .unknown)
    }
}
