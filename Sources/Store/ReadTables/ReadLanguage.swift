// Which language a reader gets: the asked one, its wider forms, then what the deployment falls back on (B61).
import Domain
import Postgres

/// `de-AT` is answered by `de-AT`, else `de`, else the first of the setting `locales.fallback` that there is.
package struct ReadLanguage: Sendable {
    /// Nil where none was asked for.
    package let asked: LanguageTag?

    package init(_ asked: LanguageTag?) {
        self.asked = asked
    }

    /// The languages in the order in which they are looked for.
    var chain: SQL {
        """
        (\(asked?.chain ?? [])::text[] || coalesce((
            select array(select json_array_elements_text(s.value))
            from api_v1.setting s where s.key = 'locales.fallback' and s.kind = 'list'), '{en}'))
        """
    }

    /// The member that documents begin with: whether the language is another than the asked one.
    var mark: SQL {
        "'{\"fallback\":' || (t.locale is distinct from coalesce(\(asked?.text), t.locale))::text || ','"
    }
}
