// Tests the formatting of times and ages.
import FoundationEssentials
import Testing

@testable import Platform

@Suite struct ClockTests {
    @Test("A timestamp is RFC 3339 in UTC, rounded down to the millisecond")
    func timestamp() {
        #expect(InstantText.text(Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00.000Z")
        #expect(InstantText.text(Date(timeIntervalSince1970: 1_782_907_200.123)) == "2026-07-01T12:00:00.123Z")
        #expect(
            InstantText.text(Date(timeIntervalSince1970: 951_782_400), milliseconds: false) == "2000-02-29T00:00:00Z")
        #expect(InstantText.text(Date(timeIntervalSince1970: 59.9994)) == "1970-01-01T00:00:59.999Z")
    }

    @Test("A time before 1970 has its own second, not the next one")
    func timestampBefore1970() {
        #expect(InstantText.text(Date(timeIntervalSince1970: -0.001)) == "1969-12-31T23:59:59.999Z")
    }

    @Test("S50: years are clamped to 0000 and 9999, the range of RFC 3339")
    func timestampLimits() {
        #expect(InstantText.text(Date(timeIntervalSince1970: 1e15)) == "9999-12-31T23:59:59.999Z")
        #expect(InstantText.text(Date(timeIntervalSince1970: -1e15)) == "0000-01-01T00:00:00.000Z")
        #expect(InstantText.text(Date(timeIntervalSince1970: .nan)) == "1970-01-01T00:00:00.000Z")
    }

    @Test("An HTTP date matches the example of RFC 9110")
    func httpDate() {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test("The current HTTP date is of this second, give or take one")
    func httpDateNow() {
        let before = HTTPDate.text(Date())
        let now = HTTPDate.now()
        #expect([before, HTTPDate.text(Date())].contains(now))
    }

    @Test(
        "An age changes its unit at the first whole one of the next",
        arguments: [
            (-1, "0 s"), (0, "0 s"), (59, "59 s"), (60, "1 min"), (3599, "59 min"), (3600, "1 h"), (7200, "2 h"),
            (86_399, "23 h"), (86_400, "1 d"), (259_200, "3 d"), (60 * 86_400 - 1, "59 d"), (60 * 86_400, "2 mo"),
            (730 * 86_400 - 1, "24 mo"), (730 * 86_400, "2 y"),
        ])
    func age(seconds: Int, text: String) {
        #expect(Age.text(seconds: seconds) == text)
    }

    @Test("An age between dates is never negative")
    func ageBetweenDates() {
        let now = Date(timeIntervalSince1970: 10_000)
        #expect(Age.text(since: Date(timeIntervalSince1970: 2800), now: now) == "2 h")
        #expect(Age.text(since: Date(timeIntervalSince1970: 10_001), now: now) == "0 s")
        #expect(Age.text(since: .distantPast, now: .distantFuture).hasSuffix(" y"))
    }

    @Test("A stopwatch runs forward")
    func stopwatch() {
        let stopwatch = Stopwatch()
        let first = stopwatch.elapsed
        #expect(first >= .zero)
        #expect(stopwatch.elapsed >= first)
        #expect(Duration.milliseconds(1999).wholeMilliseconds == 1999)
        #expect(Duration.milliseconds(1999).wholeSeconds == 1)
    }
}
