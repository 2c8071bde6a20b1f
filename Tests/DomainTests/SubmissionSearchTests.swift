// Tests what the search text of submissions is read as: words, operators, and what can't be read.
import Testing

@testable import Domain

@Suite("Search of submissions")
struct SubmissionSearchTests {
    @Test("Words stay as they were typed, phrases and excluded ones too; an empty text searches nothing")
    func words() {
        #expect(SubmissionSearch("harbor walk").words == "harbor walk")
        #expect(SubmissionSearch("  \"by the harbor\"   -ferry or café ").words == "\"by the harbor\" -ferry or café")
        #expect(SubmissionSearch("“by the harbor”").words == "\"by the harbor\"")
        #expect(SubmissionSearch("by \"the har").words == "by \"the har\"", "an open quote ends with the text")
        for text in ["", "   ", "\"\"", "\""] {
            let search = SubmissionSearch(text)
            #expect(search.words.isEmpty && !search.hasOperators && search.problems.isEmpty, "\(text)")
        }
    }

    @Test("URLs, times, quoted colons and words that end in a colon are words")
    func colons() {
        for text in ["https://example.org/a", "10:30", "\"foo:bar\"", "Review:", "2:1"] {
            let search = SubmissionSearch(text)
            #expect(search.words == text && !search.hasOperators, "\(text)")
        }
    }

    @Test("Each operator is read beside words, in any case and order, with quoted values")
    func operators() {
        let search = SubmissionSearch(
            "walk SOURCE:\"City portal\" by:m.okafor domain:example.org risk:high type:article category:\"Long walks\" "
                + "priority:URGENT is:claimed age:>3d harbor")
        #expect(search.words == "walk harbor" && search.problems.isEmpty && search.hasOperators)
        #expect(search.source == "City portal" && search.by == "m.okafor" && search.domain == "example.org")
        #expect(search.risk == .level(.high) && search.type == "article" && search.category == "Long walks")
        #expect(search.priority == .urgent && search.states == [.claimed] && search.minAgeHours == 72)
        #expect(search.maxAgeHours == nil && search.list == .pending)
    }

    @Test("Domains come from hosts and URLs, without www")
    func domains() {
        for text in [
            "example.org", "www.example.org", "HTTPS://Example.org/path?q=1", "*.example.org", "example.org:8080",
        ] {
            #expect(SubmissionSearch("domain:\"\(text)\"").domain == "example.org", "\(text)")
        }
        #expect(SubmissionSearch("domain:https://example.org").domain == "example.org")
        for text in ["exämple.org", "https://www.EXÄMPLE.org/x", "xn--exmple-cua.org"] {
            #expect(SubmissionSearch("domain:\"\(text)\"").domain == "xn--exmple-cua.org", "\(text)")
        }
        for text in ["/", "-ä.org", "a b", "https://"] {
            let search = SubmissionSearch("domain:\"\(text)\"")
            #expect(search.domain == nil && search.problems.count == 1, "\(text)")
        }
    }

    @Test(
        "Risk is a level or points from 0 to 100",
        arguments: [
            ("risk:low", SubmissionSearch.Risk.level(.low)), ("risk:MEDIUM", .level(.medium)),
            ("risk:>=60", .scores(60...100)), ("risk:60", .scores(60...100)), ("risk:>60", .scores(61...100)),
            ("risk:<60", .scores(0...59)), ("risk:<=60", .scores(0...60)), ("risk:=60", .scores(60...60)),
            ("risk:0", .scores(0...100)), ("risk:100", .scores(100...100)), ("risk:>100", nil), ("risk:<0", nil),
            ("risk:101", nil), ("risk:-1", nil), ("risk:severe", nil), ("risk:>=", nil),
        ])
    func risk(text: String, expected: SubmissionSearch.Risk?) {
        let search = SubmissionSearch(text)
        #expect(search.risk == expected && search.problems.count == (expected == nil ? 1 : 0), "\(text)")
    }

    @Test(
        "Ages have a unit; from and to can be combined",
        arguments: [
            ("age:1h", 1, nil), ("age:>3d", 72, nil), ("age:>=2w", 336, nil), ("age:<24H", nil, 24),
            ("age:>1d age:<3d", 24, 72), ("age:10000w", 1_680_000, nil),
        ] as [(String, Int?, Int?)])
    func age(text: String, min: Int?, max: Int?) {
        let search = SubmissionSearch(text)
        #expect(search.minAgeHours == min && search.maxAgeHours == max && search.problems.isEmpty, "\(text)")
    }

    @Test(
        "What can't be read is a problem that names it",
        arguments: [
            ("sorce:portal", "sorce:"), ("foo:bar", "foo:"), ("age:3", "age:"), ("age:0d", "age:"), ("age:d", "age:"),
            ("age:10001d", "age:"), ("is:gone", "is:"), ("priority:5", "priority:"), ("source:", "source:"),
            ("source:\"\"", "source:"), ("type:a type:b", "type:"), ("-source:portal", "-source:portal"),
        ])
    func problems(text: String, name: String) {
        let search = SubmissionSearch("walk " + text)
        #expect(search.problems.count == 1 && search.problems.first?.message.contains(name) == true, "\(text)")
        #expect(search.words == "walk" && search.hasOperators, "\(text)")
    }

    @Test("The message about an unknown operator lists the known ones")
    func unknown() {
        let message = SubmissionSearch("sorce:x").problems.first?.message ?? ""
        for name in SubmissionSearch.Operator.allCases { #expect(message.contains("\(name.rawValue):"), "\(name)") }
    }

    @Test("States are of pending or decided submissions; appeals are of both")
    func states() {
        #expect(SubmissionSearch("is:rejected").list == .decided && SubmissionSearch("is:snoozed").list == .pending)
        #expect(SubmissionSearch("is:appeal").list == nil)
        #expect(SubmissionSearch("is:appeal is:rejected").problems.isEmpty)
        #expect(SubmissionSearch("is:claimed is:overdue").states == [.claimed, .overdue])
        for text in ["is:rejected is:claimed", "is:rejected is:approved"] {
            #expect(SubmissionSearch(text).problems.count == 1, "\(text)")
        }
        let verdicts = SubmissionSearch.State.allCases.compactMap(\.verdict)
        #expect(Set(verdicts) == Set(Verdict.allCases), "every decision can be searched")
    }

    @Test("Domains of links include those above the host, of every link and of the page it was taken from")
    func links() {
        let fields: [String: JSONValue] = [
            "body": "<a href=\"https://news.example.org/a\">a</a> http://WWW.Example.com b://no.example",
            "more": .object(["url": "https://a.b.example.net"]),
        ]
        #expect(
            ScreenedText.domains(of: fields, sourceURL: "https://city.example/x")
                == [
                    "a.b.example.net", "b.example.net", "city.example", "example.com", "example.net", "example.org",
                    "news.example.org",
                ])
        #expect(
            ScreenedText.domains(of: ["body": "<a href=\"https://Exämple.example/x\">x</a>"], sourceURL: nil)
                .contains("xn--exmple-cua.example"))
        // Text in a language without spaces follows a host at once.
        #expect(ScreenedText.domains(of: ["body": "https://city.example他"], sourceURL: nil).contains("city.example"))
        #expect(ScreenedText.domains(of: [:], sourceURL: nil).isEmpty)
        #expect(ScreenedText.domains(of: ["body": "http://localhost/"], sourceURL: nil) == ["localhost"])
    }
}
