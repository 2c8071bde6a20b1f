// Texts that readers miss: they are published, but not in a language.
import Domain
import Postgres

/// A language in which some published texts are missing.
package struct MissingTexts: Sendable {
    package let language: String
    /// Whether apps offer the language: it is in `locales.offered`.
    package let isOffered: Bool
    package let count: Int
    /// The keys of the first ones, at most `namedKeys`.
    package let keys: [String]

    package static let namedKeys = 3
}

/// Reads what is published, as apps do: a translation that is only a draft is still missing.
package struct MissingTextStore: Sendable {
    let connection: StoreConnection

    /// The offered languages in their order, then all others of which a text is published. Compares every text with
    /// every language: callers keep the result until the next publication, which is the only way to change it.
    package func languages() async throws -> [MissingTexts] {
        try await connection.rows(
            """
            select o.locale, min(o.position) is not null as is_offered, count(*) as n,
                   (array_agg(t.key order by t.key))[1:\(fixed: MissingTexts.namedKeys)] as keys
            from (select l.locale, min(l.position) as position from (
                    select u.locale, u.position
                    from (select value from api_v1.setting where key = 'locales.offered' and kind = 'list') s
                    cross join lateral json_array_elements_text(s.value) with ordinality u (locale, position)
                    union all
                    select x.locale, null from (select distinct locale from api_v1.text) x) l
                group by l.locale) o
            cross join (select distinct id, key from api_v1.text) t
            where \(Self.isMissing("o.locale"))
            group by o.locale order by min(o.position) nulls last, o.locale
            """
        ) {
            MissingTexts(
                language: try $0("locale"), isOffered: try $0("is_offered"), count: try $0("n"), keys: try $0("keys"))
        }
    }

    /// The texts that are missing in a language.
    package func ids(in language: String) async throws -> Set<ID<Entry>> {
        Set(
            try await connection.rows(
                "select distinct t.id from api_v1.text t where \(Self.isMissing("\(language)"))"
            ) { try $0("id") as ID<Entry> })
    }

    private static func isMissing(_ locale: SQL) -> SQL {
        "not exists (select from api_v1.text m where m.id = t.id and m.locale = \(locale))"
    }
}
