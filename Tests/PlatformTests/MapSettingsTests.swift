// Tests the configuration of maps.
import Platform
import Testing

@Suite("Map settings")
struct MapSettingsTests {
    private func load(_ flags: [String: String]) throws -> Settings.Maps? {
        try Settings.load(flags: flags, environment: ["DATABASE_URL": "postgresql:///x"]).maps
    }

    @Test("Without tiles there are no maps")
    func none() throws {
        #expect(try load([:]) == nil)
        #expect(try load(["maps.attribution": "© Somebody"]) == nil)
    }

    @Test("Browsers may load images from the servers of the tiles only")
    func origin() throws {
        let one = try load(["maps.tile_url": "https://tiles.example.org/{z}/{x}/{y}.png", "maps.attribution": "© A"])
        #expect(one?.origin == "https://tiles.example.org" && one?.attribution == "© A")
        #expect(
            try load(["maps.tile_url": "https://{s}.tiles.example.org:8443/{z}/{x}/{y}"])?.origin
                == "https://*.tiles.example.org:8443")
    }

    @Test(
        "A tile URL has a scheme, a host and all parts, and nothing that ends a directive of a policy",
        arguments: [
            "tiles.example.org/{z}/{x}/{y}", "ftp://a.example/{z}/{x}/{y}", "https://a.example/{z}/{x}",
            "https:///{z}/{x}/{y}",
            "https://a.example; script-src */{z}/{x}/{y}",
        ])
    func refused(url: String) {
        #expect(throws: ConfigurationError.self) { try load(["maps.tile_url": url]) }
    }
}
