// Tests how headers, media types, cookies, credentials and dates are parsed and formatted.
import HTTP
import Testing

@Suite("Header values")
struct HeaderValueTests {
    @Test("Headers are found regardless of case, and keep order and repeats")
    func headers() {
        var headers = Headers()
        headers.append("X-One", "1")
        headers.append("Set-Cookie", "a")
        headers.append("set-cookie", "b")
        #expect(headers["x-ONE"] == "1")
        #expect(headers.all("SET-COOKIE") == ["a", "b"])
        headers.set("SET-cookie", "c")
        #expect(headers.all("set-cookie") == ["c"])
        headers.remove("x-one")
        #expect(headers.fields.count == 1 && !headers.contains("X-One") && headers["X-On"] == nil)
    }

    @Test(
        "S18: no value can end its line",
        arguments: [
            ("a\r\nX: b", "a  X: b"), ("a\nb", "a b"), ("a\0b", "a b"), ("\u{7f}", " "),
            ("tab\tstays é", "tab\tstays é"),
        ])
    func oneLine(value: String, written: String) {
        var headers = Headers()
        headers.append("X", value)
        #expect(headers["X"] == written)
    }

    @Test("A media type is parsed with its parameters")
    func mediaType() {
        let type = MediaType("Text/HTML ; Charset=\"utf\\-8\";; x=y")
        #expect(type?.essence == "text/html")
        #expect(type?[parameter: "CHARSET"] == "utf-8" && type?[parameter: "x"] == "y" && type?[parameter: "z"] == nil)
        #expect(MediaType("application/problem+json")?.subtype == "problem+json")
    }

    @Test(
        "An invalid media type is rejected",
        arguments: [
            "", "text", "text/", "/html", "text/html; a", "text/html; a=", "text/html; a=\"b", "text/html, text/plain",
            "te xt/html", ";;;/", "text/html; a =b",
        ])
    func noMediaType(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test("S17: of a repeated cookie the first counts, and invalid ones are skipped")
    func cookies() {
        let headers = ["a=1; b=\"2\";a=3; bad; =x; c d=1; e=a,b; f=", " g = h ; e=4; i=\"; j==; =; ;"]
        func value(_ name: String) -> String? { Cookie.find(name, in: headers) }
        #expect(["a", "b", "f", "g", "e", "j"].map(value) == ["1", "2", "", "h", "4", "="])
        #expect(["bad", "d", "i", "h", "A"].allSatisfy { value($0) == nil })
        #expect(Cookie.find("a", in: []) == nil)
    }

    @Test("S13: a cookie is Secure, HttpOnly and same-site unless configured otherwise")
    func cookieDefaults() {
        #expect(
            Cookie(name: "__Host-s", value: "v", maxAge: 60)?.headerValue
                == "__Host-s=v; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax")
        var cookie = Cookie(name: "a", value: "")
        cookie?.sameSite = .strict
        cookie?.isSecure = false
        cookie?.isHTTPOnly = false
        #expect(cookie?.headerValue == "a=; Path=/; SameSite=Strict")
    }

    @Test(
        "S18: a cookie with a name or value that could end it cannot be created",
        arguments: [
            ("a b", "v"), ("", "v"), ("a=", "v"), ("a", "v;x"), ("a", "v\r\n"), ("a", "é"), ("a", "v w"),
            ("a", "\"v\""), ("a", "v,w"),
        ])
    func badCookie(name: String, value: String) {
        #expect(Cookie(name: name, value: value) == nil)
    }

    @Test("S42: Basic credentials are split at the first colon")
    func credentials() throws {
        let read = try BasicCredentials(header: "basic  QWxhZGRpbjpvcGVuOnNlc2FtZQ==")
        #expect(read.name == "Aladdin" && read.password == "open:sesame")
        #expect(try BasicCredentials(header: "Basic Og==") == BasicCredentials(header: "BASIC Og=="))
    }

    @Test(
        "S42: malformed Basic credentials are rejected with the reason",
        arguments: [
            ("Bearer abc", BasicCredentials.Malformed.scheme), ("Basic", .scheme), ("", .scheme),
            ("Basic %%%", .base64), ("Basic QTpC\u{e9}", .base64), ("Basic QTpC=", .base64), ("Basic QTpCQ", .base64),
            ("Basic QTpCQR==", .base64), ("Basic QTpC QTpC", .base64), ("Basic QQ==", .colon),
            ("Basic /zo=", .text), ("Basic QQA6Qg==", .text),
        ])
    func badCredentials(header: String, reason: BasicCredentials.Malformed) {
        #expect(throws: reason) { try BasicCredentials(header: header) }
    }

    @Test(
        "Dates are formatted and parsed",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)])
    func dates(seconds: Int64, text: String) {
        #expect(HeaderDate.text(seconds) == text)
        #expect(HeaderDate.parse(text) == seconds)
    }

    @Test(
        "An invalid date is rejected",
        arguments: [
            "", "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Wed, 30 Feb 2000 00:00:00 GMT", "Mon, 99 Xxx 99999 99:99:99 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT", "Wed, 31 Dec 1969 23:59:59 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT",
        ])
    func noDate(text: String) {
        #expect(HeaderDate.parse(text) == nil)
    }
}
