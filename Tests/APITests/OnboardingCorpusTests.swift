// Tests onboarding sets and mail texts with the first-start texts of real apps, in all their languages.
import Domain
import Foundation
import Platform
import Store
import TestSupport
import Testing

@Suite("Onboarding of real apps", .databases)
struct OnboardingCorpusTests {
    private struct App {
        let name: String
        /// Keys of title and text of each screen; a title may be missing.
        let screens: [(title: String?, text: String)]
    }

    private static let apps = [
        App(
            name: "commons-android",
            screens: [
                ("welcome_wikipedia_text", "welcome_wikipedia_subtext"),
                ("welcome_copyright_text", "welcome_copyright_subtext"), (nil, "welcome_final_text"),
            ]),
        App(
            name: "habitica-android",
            screens: [
                ("intro_1_subtitle", "intro_1_description"), ("intro_2_title", "intro_2_description"),
                ("intro_3_title", "intro_3_description"),
            ]),
        App(
            name: "wikipedia-android",
            screens: [
                ("onboarding_explore_title", "onboarding_explore_text"),
                ("onboarding_reading_list_sync_title", "onboarding_reading_list_sync_text_v2"),
                ("onboarding_data_privacy_title", "onboarding_data_privacy_text"),
            ]),
    ]

    /// `$VITRINE_DATA/onboarding`, or `../shared/data/onboarding` next to the package.
    private static let folder =
        (ProcessInfo.processInfo.environment["VITRINE_DATA"] ?? TestDatabase.packageRoot + "/../shared/data")
        + "/onboarding"

    /// Language and strings of every file of an app; without the real ones, a sample.
    private static func strings(of app: App) throws -> [(locale: String, strings: [String: String])] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(app.name)")) ?? []
        let real = names.sorted().compactMap { name -> (String, [String: String])? in
            let parts = name.split(separator: ".")
            guard parts.count == 3, parts[2] == "xml",
                let bytes = FileManager.default.contents(atPath: "\(folder)/\(app.name)/\(name)")
            else { return nil }
            return (String(parts[1]), strings(in: String(decoding: bytes, as: UTF8.self)))
        }
        if !real.isEmpty { return real }
        Logger().warning("real onboarding texts skipped: one sample of ours instead", ["app": .text(app.name)])
        let ours = app.screens.flatMap { [$0.title, $0.text].compactMap(\.self) }.map { ($0, "Ours: \($0)") }
        return [("en", Dictionary(uniqueKeysWithValues: ours))]
    }

    private static func strings(in xml: String) -> [String: String] {
        var found: [String: String] = [:]
        for match in xml.matches(of: #/<string name="([^"]+)"[^>]*>(.*?)</string>/#.dotMatchesNewlines()) {
            found[String(match.1)] = String(match.2).replacing("<![CDATA[", with: "").replacing("]]>", with: "")
                .replacing(#"\'"#, with: "'").replacing("&amp;", with: "&")
        }
        return found
    }

    @Test(
        "B16, B17, B59: real first-start texts are published completely, or rejected at a field that is too long"
    )
    func realSets() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        var published = 0
        for app in Self.apps {
            let key = "onboarding.\(app.name)"
            for (locale, strings) in try Self.strings(of: app) {
                let screens = app.screens.compactMap { names -> (title: String?, text: String)? in
                    strings[names.text].map { (names.title.flatMap { strings[$0] }, $0) }
                }
                let fields: [String: JSONValue] = [
                    "key": .string(key), "locale": .string(locale),
                    "screens": .array(
                        screens.map { screen in
                            var row: [String: JSONValue] = [
                                "text": .string(screen.text), "image": "https://example.org/screen.png",
                            ]
                            row["title"] = screen.title.map { .string($0) }
                            return .object(row)
                        }),
                ]
                let isTooLong = screens.contains { ($0.title?.count ?? 0) > 80 || $0.text.count > 500 }
                do {
                    try await api.publish("onboarding_set", "\(app.name) \(locale)", fields)
                    #expect(screens.count >= 2 && !isTooLong, "\(app.name) \(locale) must be refused")
                    published += 1
                } catch Failure.invalid(let errors) {
                    #expect(screens.count < 2 || isTooLong, "\(app.name) \(locale): \(errors)")
                    continue
                }
                let read = try await api.get("/v1/onboarding/\(key)?locale=\(locale)", as: guest)
                #expect(read.status == 200 && read.json["fallback"] == .bool(false), "\(app.name) \(locale)")
                let shown = read.json["screens"]?.arrayValue ?? []
                // A long text keeps its words; equivalent Unicode sequences are stored in one form.
                #expect(
                    shown.map { $0["text"]?.stringValue?.precomposedStringWithCanonicalMapping }
                        == screens.map {
                            $0.text.trimmingCharacters(in: .whitespaces).precomposedStringWithCanonicalMapping
                        },
                    "\(app.name) \(locale)")
            }
        }
        #expect(published >= Self.apps.count)
        #expect(try await api.test.client.query("select * from curation.verify()").isEmpty)
    }
}
