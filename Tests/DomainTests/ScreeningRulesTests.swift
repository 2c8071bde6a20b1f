// Tests every screening rule at its boundary, and language detection.
import Domain
import Testing

@Suite("Screening rules")
struct ScreeningRulesTests {
    static let json: JSONValue = .object([
        "terms": .array([.object(["term": "Free  Prize", "points": .int(30)])]), "links": .int(2),
        "link_points": .int(20),
        "letters": .int(10),
        "length_points": .int(5), "rejected_percent": .int(50), "record_points": .int(25), "per_hour": .int(3),
        "rate_points": .int(15),
        "languages": .array(["en"]), "language_points": .int(10), "learned_points": .int(60), "medium": .int(30),
        "high": .int(60),
        "known_approved": .int(3), "known_rejected_percent": .int(25), "trusted_approved": .int(10),
        "trusted_rejected_percent": .int(5),
        "approve_from": .null,
    ])

    private func rules() throws -> ScreeningRules { try ScreeningRules(reading: Self.json) }

    private func text(_ title: String, _ body: String) throws -> ScreenedText {
        let content = Content(fields: ["title": .string(title), "body": .string(body)])
        return ScreenedText(
            content, in: try ContentFixture.projectType("article"), plain: body, contributor: nil)
    }

    private func found(_ title: String, _ body: String, _ context: Screening.Context = .init()) throws -> [String] {
        Screening(try text(title, body), context, by: try rules()).reasons.map(\.rule)
    }

    @Test("Rules round-trip with normalized words; an invalid one is reported at its field")
    func reads() throws {
        let rules = try rules()
        #expect(rules.terms[0].text == "free prize")
        #expect(try ScreeningRules(reading: rules.json) == rules)
        do {
            _ = try ScreeningRules(reading: .object(["links": "many", "medium": .int(70), "high": .int(69)]))
            Issue.record("it was read")
        } catch Failure.invalid(let errors) {
            #expect(errors.messages(at: "/links").count == 1 && errors.messages(at: "/high").count == 1)
        }
    }

    @Test("More links than the limit add points; the limit itself does not")
    func links() throws {
        let link = "https://a.example.org/ "
        #expect(try !found("A walk", "Long enough " + link + link).contains("links"))
        #expect(try found("A walk", "Long enough " + link + link + link).contains("links"))
    }

    @Test("Fewer letters than the limit add points; the limit itself does not")
    func length() throws {
        #expect(try !found("A walk", "abcde fghij").contains("length"))
        #expect(try found("A walk", "abcde fghi").contains("length"))
    }

    @Test("Phrases are found regardless of case")
    func words() throws {
        #expect(try found("Get your FREE PRIZE now", "abcde fghij") == ["terms"])
        #expect(try found("A prize that is free", "abcde fghij").isEmpty)
    }

    @Test("A record counts from four decisions and the share on; a rate above its limit")
    func record() throws {
        var context = Screening.Context()
        context.record = ContributorRecord(approved: 2, rejected: 2)
        #expect(try found("A walk", "abcde fghij", context) == ["record"])
        context.record = ContributorRecord(approved: 3, rejected: 2)
        #expect(try found("A walk", "abcde fghij", context).isEmpty)
        context.record = ContributorRecord(approved: 1, rejected: 2)
        #expect(try found("A walk", "abcde fghij", context).isEmpty)
        context.perHour = 3
        #expect(try found("A walk", "abcde fghij", context).isEmpty)
        context.perHour = 4
        #expect(try found("A walk", "abcde fghij", context) == ["rate"])
    }

    @Test("Trust and risk levels start at their thresholds (>=)")
    func thresholds() throws {
        var rules = try rules()
        #expect([29, 30, 59, 60].map(rules.level(of:)) == [.low, .medium, .medium, .high])
        let judged = rules
        func trust(_ approved: Int, _ rejected: Int, _ spam: Int = 0) -> Int {
            judged.trust(in: ContributorRecord(approved: approved, rejected: rejected, spam: spam))
        }
        #expect(trust(0, 0) == 0 && trust(2, 0) == 0 && trust(3, 0) == 1 && trust(3, 1) == 1 && trust(3, 2) == 0)
        #expect(trust(9, 0) == 1 && trust(10, 0) == 2 && trust(19, 1) == 2 && trust(18, 1) == 1)
        #expect(trust(99, 1, 1) == 0)
        #expect(!rules.approvesAutomatically(.low, trust: 2))
        rules.approveFrom = 2
        #expect(rules.approvesAutomatically(.low, trust: 2) && !rules.approvesAutomatically(.low, trust: 1))
        #expect(!rules.approvesAutomatically(.medium, trust: 2) && !rules.approvesAutomatically(.high, trust: 2))
    }

    @Test("The language of a text is detected from 20 words on")
    func language() {
        let german = NormalizedTerms.of(
            "Der alte Kran am Hafen ist nicht mehr da und die Leute fragen sich mit Recht wo der Kran auf dem Wasser ist"
        )
        #expect(LanguageGuess.of(german) == "de")
        #expect(LanguageGuess.of(Array(german.prefix(19))) == nil)
        #expect(LanguageGuess.of((1...40).map { "word\($0)" }) == nil)
    }
}
