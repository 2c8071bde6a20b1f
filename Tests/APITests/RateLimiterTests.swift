// Tests how many actions a minute are granted, with a simulated clock.
import TestSupport
import Testing

@testable import API

@Suite("Rate limiter", .databases)
struct RateLimiterTests {
    private let start = ContinuousClock.now

    @Test("S47: a full bucket grants a minute's worth, then one as soon as one has been refilled")
    func fills() throws {
        let limiter = RateLimiter(perMinute: 60)
        for number in 1...60 {
            let allowance = try #require(limiter.take("a", now: start))
            #expect(allowance.isGranted)
            #expect(allowance.remaining == 60 - number)
        }
        let refused = try #require(limiter.take("a", now: start))
        #expect(!refused.isGranted)
        #expect(refused.seconds == 1)
        #expect(limiter.take("a", now: start.advanced(by: .milliseconds(990)))?.isGranted == false)
        #expect(limiter.take("a", now: start.advanced(by: .milliseconds(1010)))?.isGranted == true)
        #expect(limiter.take("b", now: start)?.isGranted == true)
    }

    @Test("S47: a bucket never holds more than a minute's worth, and a clock that steps back removes nothing")
    func bounds() throws {
        let limiter = RateLimiter(perMinute: 2)
        #expect(limiter.take("a", now: start)?.remaining == 1)
        #expect(limiter.take("a", now: start.advanced(by: .seconds(3600)))?.remaining == 1)
        #expect(limiter.take("a", now: start)?.remaining == 0)
    }

    @Test("S47: 0 per minute means unlimited")
    func unlimited() {
        #expect(RateLimiter(perMinute: 0).take("a", now: start) == nil)
    }
}
