// Tests enclosures, Media RSS and images.

import Testing

@testable import Markup

struct FeedMediaTests {
    private static let root = """
         xmlns:media="http://search.yahoo.com/mrss" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
        """

    private func media(_ inside: String) throws -> [FeedMedia] {
        let text = FeedSamples.channel("<item>\(inside)</item>", root: " " + Self.root)
        return try #require(try FeedSamples.read(text).entries.first).media
    }

    @Test("A media group returns its contents, player, thumbnails and title")
    func group() throws {
        let found = try media(
            """
            <media:group><media:title>Boat</media:title>
            <media:content url="http://a.example/1.mp4" type="video/mp4" duration="12" fileSize="34">
            <media:thumbnail url="http://a.example/1.jpg"/></media:content>
            <media:content url="http://a.example/2" medium="image"/></media:group>
            <media:player url="http://a.example/player"/><itunes:image href="http://a.example/i.jpg"/>
            """)
        #expect(
            found == [
                FeedMedia(
                    url: "http://a.example/1.mp4", type: "video/mp4", length: 34, kind: .content, seconds: 12,
                    title: "Boat"),
                FeedMedia(url: "http://a.example/1.jpg", kind: .thumbnail),
                FeedMedia(url: "http://a.example/2", type: "image/*", kind: .content, title: "Boat"),
                FeedMedia(url: "http://a.example/player", type: "text/html", kind: .content),
                FeedMedia(url: "http://a.example/i.jpg", kind: .image),
            ])
    }

    @Test("Content and enclosure with the same URL are merged into one enclosure")
    func merged() throws {
        let found = try media(
            """
            <media:content url="http://a.example/1.mp3" duration="12"/>
            <enclosure url="http://a.example/1.mp3" type="audio/mpeg" length="5"/>
            """)
        #expect(
            found == [
                FeedMedia(url: "http://a.example/1.mp3", type: "audio/mpeg", length: 5, kind: .enclosure, seconds: 12)
            ])
    }

    @Test(
        "Only http and https addresses are media", arguments: ["file:///etc/passwd", "rtsp://a.example/", "", "x.mp3"])
    func otherSchemes(url: String) throws {
        #expect(try media("<enclosure url=\"\(url)\" type=\"audio/mpeg\" length=\"1\"/>").isEmpty)
    }

    @Test(
        "A length is used if it is a number greater than 0",
        arguments: [
            ("1", 1), ("0", nil), ("-1", nil), ("", nil), ("12 MB", nil), ("99999999999999999999", nil),
        ])
    func lengths(written: String, read: Int?) throws {
        #expect(try media("<enclosure url=\"http://a.example/\" length=\"\(written)\"/>").first?.length == read)
    }

    @Test(
        "A duration is seconds, minutes or hours",
        arguments: [
            ("61", 61), ("1:01", 61), ("1:00:01", 3601), ("61.7", 61), ("0", nil), ("1:2:3:4", nil), ("long", nil),
            ("-5", nil), ("", nil), ("99999999999999999999", nil), ("10000000", nil), ("9999999", 9_999_999),
        ])
    func durations(written: String, read: Int?) {
        #expect(FeedMediaReading.seconds(written) == read)
    }

    @Test("Media are limited to the maximum")
    func most() throws {
        let many = (0...FeedLimits.media).map { "<enclosure url=\"http://a.example/\($0)\"/>" }.joined()
        #expect(try media(many).count == FeedLimits.media)
    }
}
