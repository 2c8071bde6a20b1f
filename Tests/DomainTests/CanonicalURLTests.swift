// Tests which URLs are those of one page.
import Testing

@testable import Domain

@Suite("Canonical URLs")
struct CanonicalURLTests {
    @Test(
        "What doesn't change the page makes no difference",
        arguments: [
            "https://waterways.example/news/lock", "http://waterways.example/news/lock",
            "https://www.waterways.example/news/lock", "https://WaterWays.example/news/lock",
            "https://waterways.example/news/lock/", "https://waterways.example/news/lock#comments",
            "https://waterways.example:443/news/lock", "http://waterways.example:80/news/lock/",
            "https://waterways.example/news/lock?utm_source=mail&UTM_medium=x&fbclid=abc",
        ])
    func same(url: String) {
        #expect(CanonicalURL.of(url) == "waterways.example/news/lock")
    }

    @Test(
        "What may change the page makes a difference",
        arguments: [
            ("https://waterways.example:8443/news", "waterways.example:8443/news"),
            ("https://waterways.example/news:443", "waterways.example/news:443"),
            ("https://waterways.example/News", "waterways.example/News"),
            ("https://waterways.example:443/?page=2&utm_id=x", "waterways.example?page=2"),
            ("https://[2001:db8::443]/a", "[2001:db8::443]/a"),
            ("https://[2001:db8::443]:443/a", "[2001:db8::443]/a"),
        ])
    func other(url: String, canonical: String) {
        #expect(CanonicalURL.of(url) == canonical)
    }

    @Test("A text that is no URL has none")
    func none() {
        #expect(CanonicalURL.of("waterways.example/news") == nil)
        #expect(CanonicalURL.of("") == nil)
    }
}
