// Sends one request to a source within its limits, and turns every error into a message without the key.
import Domain
import Fetch
import Localization
import Platform
import Store

/// Why a source returned no usable response.
struct SourceFailure: Error, CustomStringConvertible {
    let description: String
    /// The source has no such item (any more).
    var isMissing = false
}

struct QuerySource: Sendable {
    /// Seconds without requests after a failed one, so that nobody else waits for the source.
    private static let pause = 30
    /// The longest Retry-After that is honored, in seconds.
    private static let maxPause = 3600

    let database: Database
    let rules: CatalogRules
    let client: FetchClient
    let log: Logger

    func callAsFunction(_ query: CatalogQuery, _ kind: CatalogKind) async throws -> CatalogResults {
        try await send(kind.source, kind) { $0.request(query, key: $1) }
    }

    func callAsFunction(externalID: String, source: String, _ kind: CatalogKind) async throws -> CatalogResults {
        try await send(source, kind) { $0.request(externalID: externalID, kind: kind.name, key: $1) }
    }

    private func send(
        _ source: String, _ kind: CatalogKind,
        _ request: (any CatalogAdapter, String?) -> CatalogRequest
    ) async throws -> CatalogResults {
        guard let adapter = CatalogRules.adapter(source), let access = rules.access(to: source) else {
            throw SourceFailure(description: tr("The source \(source) is not configured."))
        }
        let key = access.key?.reveal()
        if adapter.needsKey, key == nil {
            throw SourceFailure(
                description: tr("\(adapter.label) has no key. Set catalogs.\(source).key in the configuration."))
        }
        let perMinute = rules.perMinute
        let acquireCall = try await database.work(as: Self.actor) {
            try await $0.catalogSources.acquireCall(source, perMinute: perMinute)
        }
        guard acquireCall else {
            throw SourceFailure(
                description: tr("Requests to \(adapter.label) are paused: rate limit reached or recent errors."))
        }
        let request = request(adapter, key)
        var pauseSeconds: Int?
        do {
            let response = try await fetch(request, access, adapter.label, pauseSeconds: &pauseSeconds)
            let results = Self.without(key, try adapter.read(response, kind))
            try await note(source, failure: nil, pauseSeconds: nil)
            return results
        } catch let failure as SourceFailure where failure.isMissing {
            try await note(source, failure: nil, pauseSeconds: nil)
            throw failure
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            let message = Self.message(for: error, adapter.label)
            try await note(source, failure: message, pauseSeconds: pauseSeconds)
            log.warning("a catalog source failed", ["source": .text(source), "reason": .text(message)])
            throw SourceFailure(description: message)
        }
    }

    private static let actor = Actor(kind: .system, name: "system")

    private func fetch(
        _ request: CatalogRequest, _ access: CatalogRules.Access, _ label: String, pauseSeconds: inout Int?
    ) async throws -> [UInt8] {
        let response: FetchResponse
        do {
            var get = FetchRequest("GET", headers: request.headers + [("Accept", "*/*")])
            get.responseLimit = rules.responseBytes
            get.wholeMilliseconds = rules.deadlineMilliseconds
            response = try await client.send(get, to: request.url(base: access.url))
        } catch {
            pauseSeconds = Self.pause
            throw error
        }
        switch response.status {
        case 200...299 where response.isCut:
            throw SourceFailure(description: tr("\(label) sent more than \(rules.responseBytes) bytes."))
        case 200...299: return response.body
        case 404, 410: throw SourceFailure(description: tr("\(label) has no such item."), isMissing: true)
        case 401, 403: throw SourceFailure(description: tr("\(label) rejected the key (\(response.status))."))
        case 429, 500...599:
            pauseSeconds = min(response.retryAfter ?? Self.pause, Self.maxPause)
            let problem = response.status == 429 ? tr("limits the request rate") : tr("has a server error")
            throw SourceFailure(description: "\(label) \(problem) (\(response.status)).")
        default: throw SourceFailure(description: tr("\(label) returned status \(response.status)."))
        }
    }

    private func note(_ source: String, failure: String?, pauseSeconds: Int?) async throws {
        try await database.work(as: Self.actor) { work in
            if let failure {
                try await work.catalogSources.recordFailure(of: source, failure, pause: pauseSeconds)
            } else {
                try await work.catalogSources.recordResponse(of: source)
            }
        }
    }

    private static func message(for error: any Error, _ label: String) -> String {
        switch error {
        case let error as SourceFailure: error.description
        case let error as MalformedResponse: "\(label): \(error.description)"
        case let error as FetchFailure: tr("\(label) did not respond: \(error.description)")
        case let error as FetchRefusal: tr("\(label) can't be reached: \(error.description)")
        // Any other error might quote the URL, which may contain the key.
        default: tr("The request to \(label) failed.")
        }
    }

    // MARK: Keys

    /// Drops everything in a response that contains our own key.
    private static func without(_ key: String?, _ results: CatalogResults) -> CatalogResults {
        guard let key, !key.isEmpty else { return results }
        let forms = [key, CatalogRequest.encoded(key)]
        func containsKey(_ text: String) -> Bool { forms.contains { text.contains($0) } }
        return CatalogResults(
            records: results.records.filter { !containsKey($0.title) && !containsKey($0.externalID) }.map { record in
                record.withDetails { Self.cleaned($0, containsKey) }
            }, hints: results.hints.filter { !containsKey($0) })
    }

    private static func cleaned(_ value: JSONValue, _ containsKey: (String) -> Bool) -> JSONValue? {
        switch value {
        case .string(let text): containsKey(text) ? nil : value
        case .array(let values): .array(values.compactMap { cleaned($0, containsKey) })
        case .object(let members):
            .object(members.filter { !containsKey($0.key) }.compactMapValues { cleaned($0, containsKey) })
        default: value
        }
    }
}
