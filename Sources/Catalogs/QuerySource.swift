// Asks one source one thing, within its limits; whatever goes wrong becomes a sentence that holds no key.
import Domain
import Fetch
import Platform
import Store

/// Why a source gave nothing that can be used.
struct SourceFailure: Error, CustomStringConvertible {
    let description: String
    /// The source knows no such thing (any more).
    var isMissing = false
}

struct QuerySource: Sendable {
    /// Seconds for which a source that did not answer is left alone: nobody else waits for it meanwhile.
    private static let pause = 30
    /// The longest that a source may ask to be left alone.
    private static let longestPause = 3600

    let database: Database
    let rules: CatalogRules
    let client: FetchClient
    let log: Logger

    func callAsFunction(_ question: CatalogQuery, _ kind: CatalogKind) async throws -> CatalogReading {
        try await ask(kind.source, kind) { $0.request(question, key: $1) }
    }

    func callAsFunction(externalID: String, source: String, _ kind: CatalogKind) async throws -> CatalogReading {
        try await ask(source, kind) { $0.request(externalID: externalID, kind: kind.name, key: $1) }
    }

    private func ask(
        _ source: String, _ kind: CatalogKind,
        _ request: (any CatalogAdapter, String?) -> CatalogRequest
    ) async throws -> CatalogReading {
        guard let adapter = CatalogRules.adapter(source), let access = rules.access(to: source) else {
            throw SourceFailure(description: "Nothing here can ask the source \(source).")
        }
        let key = access.key?.reveal()
        if adapter.needsKey, key == nil {
            throw SourceFailure(
                description: "\(adapter.label) is not asked: the configuration has no key (catalogs.\(source).key).")
        }
        let perMinute = rules.perMinute
        let mayAsk = try await database.work(as: Self.actor) {
            try await $0.catalogSources.mayAsk(source, perMinute: perMinute)
        }
        guard mayAsk else {
            throw SourceFailure(
                description: "\(adapter.label) is left alone for a moment: it was asked often, or it does not answer.")
        }
        let request = request(adapter, key)
        var hold: Int?
        do {
            let answer = try await fetch(request, access, adapter.label, hold: &hold)
            let reading = Self.without(key, try adapter.read(answer, kind))
            try await note(source, trouble: nil, hold: nil)
            return reading
        } catch let trouble as SourceFailure where trouble.isMissing {
            try await note(source, trouble: nil, hold: nil)
            throw trouble
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            let sentence = Self.sentence(for: error, adapter.label)
            try await note(source, trouble: sentence, hold: hold)
            log.warning("a catalog source gave nothing", ["source": .text(source), "reason": .text(sentence)])
            throw SourceFailure(description: sentence)
        }
    }

    private static let actor = Actor(kind: .system, name: "system")

    private func fetch(
        _ request: CatalogRequest, _ access: CatalogRules.Access, _ label: String, hold: inout Int?
    ) async throws -> [UInt8] {
        let answer: FetchResponse
        do {
            var get = FetchRequest("GET", headers: request.headers + [("Approve", "*/*")])
            get.answerLimit = rules.answerBytes
            get.wholeMilliseconds = rules.deadlineMilliseconds
            answer = try await client.send(get, to: request.address(below: access.address))
        } catch {
            hold = Self.pause
            throw error
        }
        switch answer.status {
        case 200...299 where answer.isCut:
            throw SourceFailure(description: "\(label) answered with more than \(rules.answerBytes) bytes.")
        case 200...299: return answer.body
        case 404, 410: throw SourceFailure(description: "\(label) has no such thing.", isMissing: true)
        case 401, 403: throw SourceFailure(description: "\(label) does not take the key (\(answer.status)).")
        case 429, 500...599:
            hold = min(answer.retryAfter ?? Self.pause, Self.longestPause)
            let words = answer.status == 429 ? "wants fewer questions" : "has trouble of its own"
            throw SourceFailure(description: "\(label) \(words) (\(answer.status)).")
        default: throw SourceFailure(description: "\(label) answered \(answer.status).")
        }
    }

    private func note(_ source: String, trouble: String?, hold: Int?) async throws {
        try await database.work(as: Self.actor) { work in
            if let trouble {
                try await work.catalogSources.noteTrouble(of: source, trouble, hold: hold)
            } else {
                try await work.catalogSources.noteAnswer(of: source)
            }
        }
    }

    private static func sentence(for error: any Error, _ label: String) -> String {
        switch error {
        case let error as SourceFailure: error.description
        case let error as MalformedResponse: "\(label): \(error.description)"
        case let error as FetchFailure: "\(label) does not answer: \(error.description)"
        case let error as FetchRefusal: "\(label) is not asked: \(error.description)"
        // Anything else is not known to be free of the address that was asked.
        default: "\(label) could not be asked."
        }
    }

    // MARK: Keys

    /// What a source sends back of our own key is not kept.
    private static func without(_ key: String?, _ reading: CatalogReading) -> CatalogReading {
        guard let key, !key.isEmpty else { return reading }
        let forms = [key, CatalogRequest.encoded(key)]
        func holds(_ text: String) -> Bool { forms.contains { text.contains($0) } }
        return CatalogReading(
            records: reading.records.filter { !holds($0.title) && !holds($0.externalID) }.map { record in
                record.withDetails { Self.cleaned($0, holds) }
            }, hints: reading.hints.filter { !holds($0) })
    }

    private static func cleaned(_ value: JSONValue, _ holds: (String) -> Bool) -> JSONValue? {
        switch value {
        case .string(let text): holds(text) ? nil : value
        case .array(let values): .array(values.compactMap { cleaned($0, holds) })
        case .object(let members):
            .object(members.filter { !holds($0.key) }.compactMapValues { cleaned($0, holds) })
        default: value
        }
    }
}
