// Small sample feeds, one per format, with helpers to parse them.

import Markup

enum FeedSamples {
    static let rss = """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
             xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:itunes="http://www.itunes.com/DTDs/Podcast-1.0.dtd">
          <channel>
            <title>Towpath &amp;amp; lock</title>
            <link>https://canal.example/news/</link>
            <item>
              <title>Lock 12 <![CDATA[<b>reopens</b>]]></title>
              <link>lock-12</link>
              <guid isPermaLink="false">canal-12</guid>
              <pubDate>Sun, 10 Mar 2024 18:15:00 +0100</pubDate>
              <description>Boats pass &lt;em&gt;again&lt;/em&gt;.</description>
              <content:encoded><![CDATA[<p>Boats pass <em>again</em> &amp; again.</p>]]></content:encoded>
              <dc:creator>Ada Keeper</dc:creator>
              <category>Locks</category>
              <category>Locks</category>
              <dc:subject>Boats</dc:subject>
              <enclosure url="/sound/12.mp3?a=1&amp;b=2" type="Audio/MPEG" length="1024"/>
              <itunes:duration>1:02:03</itunes:duration>
            </item>
            <item>
              <description>No title here, only a text.</description>
            </item>
          </channel>
        </rss>
        """

    static let rdf = """
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
                 xmlns:d="http://purl.org/dc/elements/1.1/">
          <channel rdf:about="https://canal.example/">
            <title>Towpath</title><link>https://canal.example/</link>
          </channel>
          <item rdf:about="https://canal.example/1">
            <title>First</title><link>https://canal.example/1</link><description>One</description>
            <d:date>2024-03-10T18:15+01:00</d:date><d:creator>Ada</d:creator>
          </item>
          <item rdf:about="https://canal.example/2"><title>Second</title></item>
        </rdf:RDF>
        """

    static let atom = """
        <a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:base="https://canal.example/blog/">
          <a:title type="html">Towpath &amp;amp; lock</a:title>
          <a:link rel="self" href="atom.xml"/><a:link href="./"/>
          <a:author><a:name>Feed Author</a:name></a:author>
          <a:entry xml:base="2024/">
            <a:id>tag:canal.example,2024:1</a:id>
            <a:title type="text">Use of &lt;template&gt;</a:title>
            <a:link rel="enclosure" href="one.ogg" type="audio/ogg" length="77" title="Sound"/>
            <a:link rel="alternate" href="one.html"/>
            <a:published>2024-03-10T17:15:00Z</a:published>
            <a:updated>2024-03-11T00:30:00.25+01:00</a:updated>
            <a:category term="lock" label="Locks"/><a:category term="boats"/>
            <a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">See
              <a href="two.html">two</a><br/>1 &lt; 2</div></a:content>
            <a:summary>Plain &amp; short</a:summary>
          </a:entry>
          <a:entry>
            <a:id>tag:canal.example,2024:2</a:id><a:title>Two</a:title><a:updated>2024-03-12</a:updated>
            <a:author><a:name>Ada</a:name></a:author><a:author><a:name>Bo</a:name></a:author>
            <a:content>1 &lt; 2 &amp; 3</a:content>
          </a:entry>
        </a:feed>
        """

    static let atom03 = """
        <feed version="0.3" xmlns="http://purl.org/atom/ns#">
          <title>Old</title><link rel="alternate" type="text/html" href="http://canal.example/"/>
          <entry>
            <title>Escaped</title><link rel="alternate" type="text/html" href="http://canal.example/e"/>
            <id>e</id><issued>2004-06-04T17:00:00Z</issued><modified>2004-06-05T17:00:00Z</modified>
            <content type="text/html" mode="escaped">&lt;p&gt;Hello&lt;/p&gt;</content>
          </entry>
        </feed>
        """

    static let json = #"""
        {"version": "https://jsonfeed.org/version/1.1", "title": "Towpath", "home_page_url": "https://canal.example/",
         "authors": [{"name": "Feed Author"}],
         "items": [
          {"id": 17, "url": "/17", "title": "Seventeen", "content_html": "<p>Hi</p>", "summary": "Short",
           "date_published": "2024-03-10T18:15:00+01:00", "date_modified": "2024-03-11T18:15:00Z",
           "tags": ["lock", 5, "boat"], "image": "https://canal.example/17.jpg",
           "attachments": [{"url": "https://canal.example/17.mp3", "mime_type": "audio/mpeg", "title": "Sound",
                            "size_in_bytes": 99, "duration_in_seconds": 61.5}]},
          {"id": "b", "content_text": "1 < 2\nand more", "authors": [{"name": "Ada"}, {"name": "Bo"}]}
         ]}
        """#

    static let all = [rss, rdf, atom, atom03, json]

    /// An RSS document with this channel content.
    static func channel(_ inside: String, root: String = "") -> String {
        "<rss version=\"2.0\"\(root)><channel><title>T</title>\(inside)</channel></rss>"
    }

    static func read(_ text: String, url: String? = nil) throws(FeedError) -> FeedDocument {
        try FeedReader.read(Array(text.utf8), contentType: nil, url: url)
    }

    /// The error code of a rejected document; nil if it is accepted.
    static func refusal(_ text: String) -> FeedError.Code? {
        refusal(Array(text.utf8))
    }

    static func refusal(_ bytes: [UInt8]) -> FeedError.Code? {
        do {
            _ = try FeedReader.read(bytes, contentType: nil, url: nil)
            return nil
        } catch {
            return error.code
        }
    }
}
