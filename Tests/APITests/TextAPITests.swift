// Tests the endpoints of texts, settings and onboarding, and the language of responses.
import Domain
import Store
import TestSupport
import Testing

@Suite("Texts, settings and onboarding over the API", .databases)
struct TextAPITests {
    private static func value(_ locale: String, _ value: String) -> JSONValue {
        .object(["locale": .string(locale), "value": .string(value)])
    }

    @Test("B61: a text is in the requested language, else a less specific form, else the default, and says so")
    func fallback() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let id = try await api.publish(
            "text", "About",
            [
                "key": "site.test",
                "values": .array([Self.value("en", "About"), Self.value("de", "Über"), Self.value("de-AT", "Servus")]),
            ])
        func text(_ query: String) async throws -> String {
            let reply = try await api.get("/v1/texts/site.test\(query)", as: guest)
            guard reply.status == 200 else { return "\(reply.status) \(reply.pointers)" }
            return "\(reply.json["value"]?.stringValue ?? "") \(reply.json["locale"]?.stringValue ?? "")"
                + (reply.json["fallback"] == .bool(true) ? " fallback" : "")
        }
        #expect(try await text("?locale=de-AT") == "Servus de-AT")
        #expect(try await text("?locale=de_at") == "Servus de-AT")
        #expect(try await text("?locale=de-CH") == "Über de fallback")
        #expect(try await text("?locale=fr") == "About en fallback")
        #expect(try await text("") == "About en")
        #expect(try await text("?locale=french").hasSuffix(#"["/query/locale"]"#))
        #expect(try await api.get("/v1/texts/site.unknown?locale=en", as: guest).status == 404)
        #expect(try await api.get("/v1/texts/site.test", as: nil).status == 401)

        // The fallback chain is a setting of its own.
        let setting: ID<Entry> = try await api.test.client.one(
            "select id from api_v1.setting where key = 'locales.fallback'")("id")
        try await api.edit(setting, ["value": "de\nen"])
        #expect(try await text("?locale=fr") == "Über de fallback")
        try await api.edit(id, ["values": .array([Self.value("pl", "O nas")])])
        #expect(try await text("?locale=fr") == "404 []", "no language of the chain")
        #expect(try await text("?locale=pl") == "O nas pl")
    }

    @Test("B61, A22: texts are listed by key prefix, each once, in the closest language")
    func list() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        for number in 1...3 {
            try await api.publish(
                "text", "T",
                [
                    "key": .string("list.t\(number)"),
                    "values": .array(
                        [Self.value("en", "EN \(number)")] + (number == 2 ? [Self.value("de", "DE 2")] : [])),
                ])
        }
        let reply = try await api.get("/v1/texts?prefix=list.&locale=de", as: guest)
        #expect(reply.data.map { $0["value"] } == ["EN 1", "DE 2", "EN 3"])
        #expect(reply.data.map { $0["fallback"] } == [.bool(true), .bool(false), .bool(true)])
        #expect(reply.next == nil)
        let guests = try await api.get("/v1/texts?prefix=guest.", as: guest)
        #expect(guests.data.contains { $0["key"] == "guest.feeds.text" })
        #expect(try await api.get("/v1/texts?prefix=%25", as: guest).data.isEmpty, "a prefix is no pattern")
        #expect(try await api.get("/v1/texts?local=de", as: guest).pointers == ["/query/local"])
        #expect(try await api.get("/v1/texts", as: guest).data.count > 20)
    }

    @Test("B20: settings are returned all at once, by a prefix or by key")
    func settings() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let all = try await api.get("/v1/settings", as: guest)
        let keys = all.data.compactMap { $0["key"]?.stringValue }
        #expect(keys == keys.sorted())
        #expect(all.data.contains { $0["key"] == "requires_login" })
        #expect(try await api.get("/v1/settings?prefix=premium.", as: guest).data.count == 2)
        #expect(try await api.get("/v1/settings/nothing", as: guest).status == 404)
    }

    @Test("B20, C11: a new unit of speed needs no other contract", .packs(.routes))
    func units() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        #expect(try await api.get("/v1/settings?prefix=weaving.", as: guest).data.count == 5)
        let units: ID<Entry> = try await api.test.client.one(
            "select id from api_v1.setting where key = 'speed.units'")("id")
        try await api.edit(units, ["value": "min/mile\nmin/km"])
        let one = try await api.get("/v1/settings/speed.units", as: guest)
        #expect(one.json["value"] == .array(["min/mile", "min/km"]))
    }

    @Test("B16, B17, B59: an onboarding set is returned whole, by key and language, with its version for apps")
    func onboarding() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        for (locale, words) in [("en", "Hello"), ("de", "Hallo")] {
            try await api.publish(
                "onboarding_set", "Welcome",
                [
                    "key": "onboarding.main", "locale": .string(locale), "set_version": .int(3),
                    "screens": .array(
                        ["1", "2"].map {
                            .object(["text": .string("\(words) \($0)"), "image": "https://example.org/a.png"])
                        }),
                ])
        }
        let german = try await api.get("/v1/onboarding/onboarding.main?locale=de-AT", as: guest)
        #expect(german.status == 200 && german.json["fallback"] == .bool(true))
        #expect(german.json["set_version"] == .int(3))
        #expect(german.json["screens"]?.arrayValue?.map { $0["text"] } == ["Hallo 1", "Hallo 2"])
        #expect(try await api.get("/v1/onboarding/onboarding.main?locale=pl", as: guest).json["locale"] == "en")
        #expect(try await api.get("/v1/onboarding/onboarding.bop", as: guest).status == 404)
        #expect(german["ETag"] != nil)
    }
}
