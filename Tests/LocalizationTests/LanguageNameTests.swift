// Names of languages in English and in the language of a catalog.
import Localization
import Testing

@Suite struct LanguageNameTests {
    @Test(arguments: [
        ("de", "German"), ("pt-BR", "Portuguese (Brazil)"), ("en", "English"), ("xx", "xx"),
    ])
    func languagesHaveNames(tag: String, name: String) {
        #expect(LanguageName.of(tag) == name)
    }

    @Test func namesAreInTheLanguageOfThePage() {
        let polish = MessageCatalog(language: "pl", texts: [:])
        #expect(MessageCatalog.$current.withValue(polish) { LanguageName.of("de").lowercased() } == "niemiecki")
    }
}
