// Reads complete onboarding sets by key and language (B16, B17).
import Domain
import Postgres

package struct OnboardingReads: Sendable {
    let connection: StoreConnection

    package func find(_ key: String, _ language: ReadLanguage) async throws -> [UInt8]? {
        try await connection.first(
            """
            select \(language.fallbackMember) || substr(t.document::text, 2) as document
            from api_v1.onboarding_set t, (select \(language.chain) as chain) c
            where t.key = \(key) and t.locale = any(c.chain) order by array_position(c.chain, t.locale) limit 1
            """
        ) { try $0.bytes("document") }
    }
}
