// Chooses the language of a response: the requested one, its less specific forms, then the fallback languages (B61).
import Domain
import Postgres

/// `de-AT` falls back to `de`, then to the first available language of the setting `locales.fallback`.
package struct ReadLanguage: Sendable {
    /// Nil when none was requested.
    package let requested: LanguageTag?

    package init(_ requested: LanguageTag?) {
        self.requested = requested
    }

    /// The languages in order of preference.
    var chain: SQL {
        """
        (\(requested?.chain ?? [])::text[] || coalesce((
            select array(select json_array_elements_text(s.value))
            from api_v1.setting s where s.key = 'locales.fallback' and s.kind = 'list'), '{en}'))
        """
    }

    /// The first member of documents: whether the language differs from the requested one.
    var fallbackMember: SQL {
        "'{\"fallback\":' || (t.locale is distinct from coalesce(\(requested?.text), t.locale))::text || ','"
    }
}
