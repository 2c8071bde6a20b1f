// Tests the configuration of the external classifier.
import Platform
import Testing

@Suite("Classifier settings")
struct ClassifierSettingsTests {
    private static let secret = SigningSecret(key: [UInt8](repeating: 1, count: 24)).text

    private func load(_ environment: [String: String]) throws -> Settings.Classifier? {
        try Settings.load(environment: environment.merging(["DATABASE_URL": "postgresql:///x"]) { $1 }).classifier
    }

    private func problems(
        _ url: String, secret: String? = secret, _ more: [String: String] = [:]
    ) throws -> String {
        var environment = more
        environment["VITRINE_CLASSIFIER_URL"] = url
        environment["VITRINE_CLASSIFIER_SECRET"] = secret
        do {
            _ = try load(environment)
            return ""
        } catch let error as ConfigurationError {
            return error.problems.joined(separator: "\n")
        }
    }

    @Test("Without a URL there is no classifier, whatever else is set")
    func off() throws {
        #expect(try load([:]) == nil)
        #expect(try load(["VITRINE_CLASSIFIER_SECRET": Self.secret, "VITRINE_CLASSIFIER_PER_HOUR": "5"]) == nil)
    }

    @Test("A URL with a secret turns it on, with its port and the default limits")
    func on() throws {
        let found = try #require(
            try load([
                "VITRINE_CLASSIFIER_URL": "https://Classifier.example.org:8443/a?b=c",
                "VITRINE_CLASSIFIER_SECRET": Self.secret,
            ]))
        #expect(found.host == "classifier.example.org" && found.port == 8443)
        #expect(found.timeout == .seconds(2) && found.perHour == 600 && found.perDay == 5000)
        #expect(found.cache == .seconds(24 * 3600) && !found.allowsPrivate)
    }

    @Test("Only https is accepted; plain http only for this machine, and only in development")
    func schemes() throws {
        #expect(try problems("https://classifier.example.org/") == "")
        for url in ["http://classifier.example.org/", "http://127.0.0.1:9000/", "http://localhost/"] {
            #expect(try problems(url).contains("must start with https://"), "\(url)")
        }
        let development = ["VITRINE_ENVIRONMENT": "development"]
        for url in ["http://127.0.0.1:9000/", "http://localhost/", "http://[::1]:9000/x"] {
            #expect(try problems(url, development) == "", "\(url)")
        }
        #expect(try problems("http://10.0.0.5/", development).contains("must start with https://"))
        #expect(try problems("http://127.0.0.1/", ["VITRINE_ENVIRONMENT": "test"]).contains("must start with https://"))
        for url in ["classifier.example.org", "ftp://classifier.example.org/", "https://", "https:///x"] {
            #expect(try problems(url).contains("must be a URL such as"), "\(url)")
        }
        for url in ["https://me:pw@classifier.example.org/", "https://classifier.example.org/#x"] {
            #expect(try problems(url).contains("must not contain"), "\(url)")
        }
    }

    @Test("The secret is required, 24 to 64 bytes after whsec_, and never shown")
    func secrets() throws {
        let url = "https://classifier.example.org/"
        #expect(try problems(url, secret: nil).contains("requires classifier.secret"))
        for (bytes, isValid) in [(23, false), (24, true), (64, true), (65, false)] {
            let text = SigningSecret(key: [UInt8](repeating: 1, count: bytes)).text
            #expect(try problems(url, secret: text).isEmpty == isValid, "\(bytes)")
        }
        for text in ["whsec_", "whsec_!!!", String(Self.secret.dropFirst(6)), "secret"] {
            let found = try problems(url, secret: text)
            #expect(found.contains("classifier.secret") && found.contains("must be whsec_"))
            #expect(!found.contains(text) || text == "whsec_" || text == "secret")
        }
        let settings = try Settings.load(environment: [
            "VITRINE_CLASSIFIER_URL": url, "VITRINE_CLASSIFIER_SECRET": Self.secret,
        ])
        #expect(settings.entries.first { $0.key == "classifier.secret" }?.value == "\"[secret]\"")
        #expect(settings.entries.allSatisfy { !$0.value.contains(Self.secret) })
        #expect("\(settings.classifier as Any)".contains(Self.secret) == false)
    }

    @Test(
        "Limits out of range are errors that name the range",
        arguments: [
            ("TIMEOUT_MS", "99"), ("TIMEOUT_MS", "30001"), ("PER_HOUR", "0"), ("PER_DAY", "0"), ("CACHE_HOURS", "-1"),
            ("CACHE_HOURS", "8761"), ("PER_HOUR", "many"),
        ])
    func ranges(_ key: String, _ value: String) throws {
        let found = try problems("https://classifier.example.org/", ["VITRINE_CLASSIFIER_\(key)": value])
        #expect(found.contains("classifier.\(key.lowercased())") && found.contains("must be a whole number from"))
    }
}
