// Reads what people type to search submissions: free words, and operators such as `source:portal` and `risk:high`.
import Localization

package struct SubmissionSearch: Sendable, Equatable {
    package enum Operator: String, Sendable, CaseIterable {
        case source, by, domain, risk, type, category, priority
        case state = "is"
        case age
    }

    /// Values of `is:`.
    package enum State: String, Sendable, CaseIterable {
        case pending, claimed, unclaimed, mine, unassigned, snoozed, held, overdue, appeal, resubmitted
        case decided, approved, rejected, duplicate
        case changesRequested = "changes-requested"

        /// The list that it belongs to; nil for both.
        package var list: List? {
            switch self {
            case .appeal, .resubmitted: nil
            case .decided, .approved, .rejected, .duplicate, .changesRequested: .decided
            default: .pending
            }
        }

        /// The decision that it names.
        package var verdict: Verdict? {
            switch self {
            case .approved: .approve
            case .rejected: .reject
            case .duplicate: .duplicate
            case .changesRequested: .requestChanges
            default: nil
            }
        }
    }

    package enum List: Sendable { case pending, decided }

    /// The risk of a submission: a level, whose scores the screening rules name, or the lowest and highest score.
    package enum Risk: Sendable, Equatable {
        case level(RiskLevel)
        case scores(ClosedRange<Int>)
    }

    /// What can't be read; the message names it and says what to write instead.
    package struct Problem: Sendable, Equatable {
        package let message: String

        package init(_ message: String) { self.message = message }
    }

    /// For a text search; quoted phrases and excluded words as they were typed.
    package private(set) var words = ""
    package private(set) var source: String?
    /// A contributor's name, or email address.
    package private(set) var by: String?
    package private(set) var domain: String?
    package private(set) var risk: Risk?
    package private(set) var type: String?
    package private(set) var category: String?
    package private(set) var priority: Priority?
    package private(set) var states: Set<State> = []
    package private(set) var minAgeHours: Int?
    package private(set) var maxAgeHours: Int?
    package private(set) var problems: [Problem] = []

    private var seen: Set<Operator> = []

    package init(_ text: String) {
        var words: [String] = []
        for token in Self.tokens(text) {
            if let (name, value) = Self.operation(token) { read(name, value, token) } else { words.append(token) }
        }
        self.words = words.joined(separator: " ")
        if Set(states.compactMap(\.list)).count > 1 || states.filter({ $0.verdict != nil }).count > 1 {
            problems.append(
                Problem(tr("A submission can't have all of these states. Use one “is:” for pending or decided ones.")))
        }
    }

    package var hasOperators: Bool { !seen.isEmpty || !problems.isEmpty }

    /// The list that the search asks for; nil if it asks for none.
    package var list: List? { states.lazy.compactMap(\.list).first }

    /// All names, for messages: "source:, by:, …"
    package static let names = Operator.allCases.map { "\($0.rawValue):" }.joined(separator: ", ")

    // MARK: Reading

    /// Split at spaces outside of quotes.
    private static func tokens(_ text: String) -> [String] {
        var tokens: [String] = []
        var (token, isQuoted) = ("", false)
        for character in text {
            if character == "\"" || character == "“" || character == "”" {
                isQuoted.toggle()
                token.append("\"")
            } else if character.isWhitespace && !isQuoted {
                if !token.isEmpty { tokens.append(token) }
                token = ""
            } else {
                token.append(character)
            }
        }
        if isQuoted { token.append("\"") }
        if !token.isEmpty, token != "\"\"" { tokens.append(token) }
        return tokens
    }

    /// A name of letters, a colon and a value. A URL, a time and a word that ends in a colon are words.
    private static func operation(_ token: String) -> (name: String, value: String)? {
        guard let colon = token.firstIndex(of: ":") else { return nil }
        let name = token[..<colon].drop { $0 == "-" }.lowercased()
        let value = token[token.index(after: colon)...]
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x61...0x7A).contains($0) }), !value.hasPrefix("//") else {
            return nil
        }
        if value.isEmpty && Operator(rawValue: name) == nil { return nil }
        return (name, value.filter { $0 != "\"" }.trimmingSpaces)
    }

    private mutating func read(_ name: String, _ value: String, _ token: String) {
        guard let known = Operator(rawValue: name) else {
            return problems.append(
                Problem(
                    tr("“\(name):” is not an operator. Use \(Self.names), or put the words into quotes.")))
        }
        if token.hasPrefix("-") {
            return problems.append(Problem(tr("“\(token)”: only words can be excluded, not operators.")))
        }
        guard !value.isEmpty else {
            return problems.append(Problem(tr("Enter a value after “\(name):”.")))
        }
        guard seen.insert(known).inserted || known == .state || known == .age else {
            return problems.append(Problem(tr("Use “\(name):” once.")))
        }
        switch known {
        case .source: source = value
        case .by: by = value
        case .type: type = value
        case .category: category = value
        case .domain: domain = Self.domain(value)
        case .risk: risk = Self.risk(value)
        case .priority: priority = Priority(name: value.lowercased())
        case .state: if let state = State(rawValue: value.lowercased()) { states.insert(state) }
        case .age: readAge(value)
        }
        if let choices = invalid(known, value) {
            problems.append(Problem(tr("“\(name):” can't be “\(value)”. Use \(choices).")))
        }
    }

    /// What can be written instead of a value that was not read; nil if it was.
    private func invalid(_ known: Operator, _ value: String) -> String? {
        switch known {
        case .domain where domain == nil: tr("a domain, such as example.org")
        case .risk where risk == nil: "low, medium, high, >=60"
        case .priority where priority == nil: Priority.allCases.map(\.name).joined(separator: ", ")
        case .state where State(rawValue: value.lowercased()) == nil:
            State.allCases.map(\.rawValue).joined(separator: ", ")
        case .age where Self.hours(value) == nil: ">3d, <24h, >2w"
        default: nil
        }
    }

    /// The host of a URL, or a domain, as screening writes it.
    private static func domain(_ value: String) -> String? {
        var host = value.lowercased()[...]
        if let scheme = host.firstRange(of: "://") { host = host[scheme.upperBound...] }
        host = host.prefix { $0 != "/" && $0 != ":" && $0 != "?" && $0 != "#" }
        if host.hasPrefix("www.") { host = host.dropFirst(4) }
        if host.hasPrefix("*.") { host = host.dropFirst(2) }
        if HostName.isInternational(host) { return HostName.internationalName(host) }
        guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy({ $0.isPartOfHost }) else { return nil }
        return String(host)
    }

    private static func risk(_ value: String) -> Risk? {
        if let level = RiskLevel(rawValue: value.lowercased()) { return .level(level) }
        let (comparison, rest) = compared(value)
        guard let number = Int(rest), (0...100).contains(number) else { return nil }
        switch comparison {
        case ">": return number < 100 ? .scores(number + 1...100) : nil
        case "<": return number > 0 ? .scores(0...number - 1) : nil
        case "<=": return .scores(0...number)
        case "=": return .scores(number...number)
        default: return .scores(number...100)
        }
    }

    private mutating func readAge(_ value: String) {
        guard let hours = Self.hours(value) else { return }
        if value.hasPrefix("<") { maxAgeHours = hours } else { minAgeHours = hours }
    }

    private static func hours(_ value: String) -> Int? {
        let rest = compared(value).rest
        guard let unit = rest.last.flatMap({ ["h": 1, "d": 24, "w": 168][$0.lowercased()] }),
            let number = Int(rest.dropLast()), (1...10_000).contains(number)
        else { return nil }
        return number * unit
    }

    /// A comparison, if there is one, and what follows.
    private static func compared(_ value: String) -> (comparison: String, rest: Substring) {
        for comparison in [">=", "<=", ">", "<", "="] where value.hasPrefix(comparison) {
            return (comparison, value.dropFirst(comparison.count))
        }
        return ("", value[...])
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}

extension UInt8 {
    fileprivate var isPartOfHost: Bool {
        (0x61...0x7A).contains(self) || (0x30...0x39).contains(self) || self == 0x2D || self == 0x2E
    }
}
