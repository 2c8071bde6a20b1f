// Tests the configuration of the delivery API.
import FoundationEssentials
import Platform
import Testing

@Suite("Delivery settings")
struct DeliverySettingsTests {
    private func load(_ flags: [String: String]) throws -> Settings.Delivery {
        try Settings.load(flags: flags, environment: ["DATABASE_URL": "postgresql:///x"]).delivery
    }

    private func problem(_ flags: [String: String]) throws -> String {
        do {
            _ = try load(flags)
            return ""
        } catch let error as ConfigurationError {
            return error.problems.joined(separator: "\n")
        }
    }

    @Test("The sunset may be on the day of deprecation or later, not a day before")
    func sunset() throws {
        #expect(try load(["api.deprecated": "2027-01-31", "api.sunset": "2027-01-31"]).sunset != nil)
        #expect(try load(["api.deprecated": "2027-01-31", "api.sunset": "2027-02-01"]).sunset != nil)
        #expect(try load(["api.sunset": "2027-02-01"]).deprecated == nil)
        #expect(
            try problem(["api.deprecated": "2027-01-31", "api.sunset": "2027-01-30"]).contains(
                "must not be before api.deprecated"))
    }

    @Test(
        "A date must exist in the calendar",
        arguments: ["2027-02-29", "2027-13-01", "2027-1-1", "tomorrow", "2027-01-31T00"])
    func day(written: String) throws {
        #expect(try problem(["api.sunset": written]).contains("must be a date such as 2027-01-31"))
    }

    @Test("Origins are a scheme, a host and an optional port, or *")
    func origins() throws {
        #expect(
            try load(["api.cors_origins": "https://a.example http://127.0.0.1:3000"]).origins
                == ["https://a.example", "http://127.0.0.1:3000"])
        #expect(try load(["api.cors_origins": "*"]).origins == ["*"])
        #expect(try load([:]).origins == [])
        for wrong in [
            "a.example", "https://a.example/", "https://A.example", "https://u@a.example", "null", "ftp://a.example",
        ] {
            #expect(try problem(["api.cors_origins": wrong]).contains("must be origins"), "\(wrong)")
        }
    }

    @Test("Responses have 64 MB of memory unless set otherwise, and none at 0")
    func cache() throws {
        #expect(try load([:]).cacheMegabytes == 64)
        #expect(try load(["api.cache_mb": "0"]).cacheMegabytes == 0)
        #expect(try load(["api.cache_mb": "16384"]).cacheMegabytes == 16_384)
        #expect(try problem(["api.cache_mb": "16385"]).contains("api.cache_mb"))
        #expect(try problem(["api.cache_mb": "-1"]).contains("api.cache_mb"))
    }

    @Test("The URL of an item contains its slug or its id")
    func itemURL() throws {
        #expect(try load(["site.item_url": "https://www.example.org/read/{slug}"]).itemURL != nil)
        #expect(try problem(["site.item_url": "https://www.example.org/read"]).contains("must contain {slug} or {id}"))
        #expect(try problem(["site.url": "www.example.org"]).contains("must be a URL such as"))
    }
}
