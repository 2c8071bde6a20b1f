// Texts, settings and onboarding: values that apps pick up without an update (B16, B59, B61).
import Domain
import Store

enum TextEndpoints {
    /// `GET /v1/texts`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        .page(
            try await read.reads.texts.page(
                prefix: read.query["prefix"], read.language(), cursor: read.cursor))
    }

    /// `GET /v1/texts/{key}`
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        let document = try await read.reads.texts.find(read.call.path("key"), read.language()).orMissing("text")
        return .document(document)
    }

    /// `GET /v1/settings`
    static func settings(_ read: ReadCall) async throws -> ReadResponse {
        .page(try await read.reads.settings.all(prefix: read.query["prefix"]))
    }

    /// `GET /v1/settings/{key}`
    static func setting(_ read: ReadCall) async throws -> ReadResponse {
        let document = try await read.reads.settings.find(read.call.path("key")).orMissing("setting")
        return .document(document)
    }

    /// `GET /v1/onboarding/{key}`
    static func onboarding(_ read: ReadCall) async throws -> ReadResponse {
        let document = try await read.reads.onboarding.find(read.call.path("key"), read.language())
            .orMissing("onboarding set")
        return .document(document)
    }
}

extension ReadCall {
    /// The requested language, if any.
    package func language() -> ReadLanguage { ReadLanguage(query["locale"].flatMap(LanguageTag.init)) }
}

extension QueryParameter {
    package static let locale = QueryParameter(
        "locale", .language, "A language such as de-AT; missing texts fall back to the nearest one.")
    static let keyPrefix = QueryParameter("prefix", .text(max: 80), "Only keys with this prefix.")
}
