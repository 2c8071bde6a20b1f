// Checks that the folders of a module do not use each other in a cycle.
import Testing

@Suite("Folders of modules")
struct FolderCycleTests {
    /// Dependencies that make a cycle today. This list only gets shorter: a type belongs in the folder below all that use
    /// it.
    private static let held: Set<String> = [
        "Sources/Admin/Contributors -> Sources/Admin/Reports",
        "Sources/Admin/Contributors -> Sources/Admin/Review",
        "Sources/Admin/Entries -> Sources/Admin/Review",
        "Sources/Admin/Fields -> Sources/Admin/Entries",
        "Sources/Admin/Media -> Sources/Admin/Entries",
        "Sources/Admin/Queue -> Sources/Admin/Review",
        "Sources/Store/Base -> Sources/Store/Schema",
        "Sources/Store/Base -> Sources/Store/Submissions",
        "Sources/Store/Entries -> Sources/Store/Submissions",
        "Sources/Store/Media -> Sources/Store/Entries",
        "Sources/Store/Schema -> Sources/Store/ReadTables",
        "Sources/vitrine/Commands -> Sources/vitrine",
        "Sources/vitrine/Serving -> Sources/vitrine",
    ]
    private static let graph = FolderDependencies(SourceFile.sources)

    @Test("No folder uses one that uses it, directly or by others")
    func cycles() {
        #expect(Self.graph.folders.count > 60)
        let cycles = Self.graph.cycles(without: Self.held)
        let found = cycles.flatMap { Self.graph.dependencies(in: $0, without: Self.held) }
        #expect(found.isEmpty, "one of these makes a cycle:\n\(found.joined(separator: "\n"))")
    }

    @Test("Every dependency of the list still makes a cycle")
    func list() {
        let unneeded = Self.held.filter { Self.graph.cycles(without: Self.held.subtracting([$0])).isEmpty }
        #expect(unneeded.isEmpty, "remove from the list: \(unneeded.sorted())")
    }

    @Test("Areas of operations use Publishing only, and Services uses all")
    func operations() {
        func area(_ folder: String) -> Substring? {
            let parts = folder.split(separator: "/")
            return parts.count > 2 && parts[1] == "Operations" ? parts[2] : nil
        }
        let areas = Self.graph.folders.compactMap { folder, used in
            area(folder).map { (user: $0, used: Set(used.keys.compactMap(area)).subtracting([$0])) }
        }
        #expect(areas.contains { $0.user == "Review" && $0.used.contains("Publishing") })
        #expect(areas.contains { $0.user == "Services" && $0.used.count > 5 })
        let wrong = areas.filter { $0.user != "Services" && !$0.used.subtracting(["Publishing"]).isEmpty }
        #expect(wrong.isEmpty, "\(wrong.map { "\($0.user) uses \($0.used.sorted())" })")
    }

    @Test("Dependencies are read from the names in code, within a module")
    func reading() {
        func dependencies(_ files: [(String, String)]) -> [String] {
            let graph = FolderDependencies(files.map { SourceFile(path: "Sources/\($0.0)", text: $0.1) })
            return graph.cycles().flatMap { graph.dependencies(in: $0, without: []) }
        }
        let user = ("M/A/User.swift", "struct User {\n    let tool: Tool\n}")
        #expect(
            dependencies([user, ("M/B/Tool.swift", "package struct Tool {\n    let user: User?\n}")]) == [
                "Sources/M/A -> Sources/M/B: User.swift uses Tool of Tool.swift",
                "Sources/M/B -> Sources/M/A: Tool.swift uses User of User.swift",
            ])
        #expect(
            dependencies([
                user, ("M/B/Tool.swift", "enum Tools {\n    struct Tool {}\n    let text = \"\\(User.self)\"\n}"),
            ]).count == 2, "nested types, and code inside of texts")
        for text in [
            "struct Tool {} // of a User", "struct Tool {\n    let text = \"User\"\n}",
            "private struct Tool {\n    let user: User?\n}",
        ] {
            #expect(dependencies([user, ("M/B/Tool.swift", text)]).isEmpty, "\(text)")
        }
        let other = ("M/B/Tool.swift", "struct Tool {\n    let user: User?\n}")
        #expect(dependencies([user, other, ("N/C/Tool.swift", "struct Tool {}")]).isEmpty, "a name of two files")
        #expect(dependencies([("N/A/User.swift", user.1), other]).isEmpty, "another module")
    }
}
