// Tests the parsing of GPX and CSV, and the reason and line of errors.
import Markup
import Testing

@Suite("GPX and CSV")
struct GPXReaderTests {
    private func read(_ inside: String, head: String = "") throws(GPXError) -> GPXDocument {
        try GPXReader.read(Array("<?xml version=\"1.0\"?>\(head)\n<gpx version=\"1.1\">\n\(inside)\n</gpx>".utf8))
    }

    @Test("C20: tracks with several segments, routes, missing and impossible elevations")
    func lines() throws {
        let document = try read(
            """
            <metadata><name>All</name></metadata><wpt lat="1" lon="1"><ele>9</ele><name>No</name></wpt>
            <trk><name>A &amp; B</name><desc><![CDATA[Up < down]]></desc>
            <trkseg><trkpt lat="51.5" lon="-0.1"><ele> 12.5 </ele><name>p</name></trkpt><trkpt lat="51.6" lon="-0.1"/></trkseg>
            <trkseg><trkpt lat="51.7" lon="-0.1"><ele>-32768</ele></trkpt><trkpt lat="51.8" lon="-0.1"><ele/></trkpt></trkseg></trk>
            <rte><name>R</name><rtept lat="1" lon="2"><ele>0</ele></rtept><rtept lat="1" lon="3"><extensions><ele>5</ele></extensions></rtept></rte>
            """)
        #expect(document.name == "All" && document.waypoints == 1)
        #expect(document.lines.map(\.name) == ["A & B", "R"])
        #expect(document.lines.map(\.kind) == [.track, .route])
        #expect(document.lines[0].segments == 2 && document.lines[0].summary == "Up < down")
        #expect(document.lines[0].points.map(\.elevation) == [12.5, nil, nil, nil])
        #expect(document.lines[1].points.map(\.elevation) == [0, nil])
        #expect(document.lines[0].points.map(\.latitude) == [51.5, 51.6, 51.7, 51.8])
    }

    @Test("The first link of a track or route is read, as GPX 1.0 and 1.1 write it, and none of its points")
    func links() throws {
        let document = try read(
            """
            <link href="https://maps.example/all"/>
            <trk><link href="https://maps.example/1?a=b&amp;c"><text>One</text></link><link href="https://maps.example/2"/>
            <trkseg><trkpt lat="1" lon="1"><link href="https://maps.example/p"/></trkpt></trkseg></trk>
            <rte><url> https://maps.example/3 </url><rtept lat="1" lon="2"/></rte><rte><rtept lat="1" lon="2"/></rte>
            """)
        #expect(
            document.lines.map(\.link) == ["https://maps.example/1?a=b&c", "https://maps.example/3", ""])
    }

    @Test(
        "An invalid file is rejected with its reason",
        arguments: [
            ("", "empty"), ("hello", "malformed"), ("<rss></rss>", "notGPX"), ("<gpx><trk></gpx>", "malformed"),
            ("<gpx><wpt lat=\"1\" lon=\"1\"/></gpx>", "noLine"), ("<gpx><trk><name>x</name></trk></gpx>", "noLine"),
            (
                "<!DOCTYPE gpx [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><gpx><trk><name>&a;</name></trk></gpx>",
                "doctype"
            ),
            ("<gpx><trk><name>&a;</name></trk></gpx>", "malformed"),
            ("<gpx><trk><trkseg><trkpt lat=\"91\" lon=\"1\"/></trkseg></trk></gpx>", "number"),
            ("<gpx><trk><trkseg><trkpt lat=\"1\"/></trkseg></trk></gpx>", "number"),
            ("<gpx><trk><trkseg><trkpt lat=\"0x1F\" lon=\"1\"/></trkseg></trk></gpx>", "number"),
            ("<gpx><trk><trkseg><trkpt lat=\"1,5\" lon=\"1\"/></trkseg></trk></gpx>", "number"),
            ("<gpx><trk><trkseg><trkpt lat=\"nan\" lon=\"1\"/></trkseg></trk></gpx>", "number"),
            ("<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"1\"><ele>high</ele></trkpt></trkseg></trk></gpx>", "number"),
        ])
    func refused(text: String, code: String) {
        do throws(GPXError) {
            _ = try GPXReader.read(Array(text.utf8))
            Issue.record("accepted")
        } catch {
            #expect(error.code.rawValue == code)
            #expect(!error.message.isEmpty)
        }
    }

    @Test("The line of the first invalid point is reported")
    func line() {
        let error = #expect(throws: GPXError.self) {
            try read("<trk><trkseg>\n<trkpt lat=\"1\" lon=\"1\"/>\n<trkpt lat=\"1\" lon=\"181\"/></trkseg></trk>")
        }
        #expect(error?.line == 5)
        #expect(error?.sentence == "Line 5: The point must have a longitude between -180 and 180.")
    }

    @Test(
        "CSV parsing does not depend on chunks: quotes, quoted line breaks, a byte order mark, no final line ending"
    )
    func csv() throws {
        let text = "\u{FEFF}a,b\r\n\"x, \"\"y\"\"\",\"two\nlines\"\n\n,\nlast,1"
        let bytes = Array(text.utf8)
        let expected = [
            "1 " + #"["a", "b"]"#, "2 " + #"["x, \"y\"", "two\nlines"]"#, "5 " + #"["", ""]"#, "6 " + #"["last", "1"]"#,
        ]
        for size in 1...bytes.count {
            var reader = CSVReader()
            var records: [CSVReader.Record] = []
            var start = 0
            while start < bytes.count {
                records += try reader.read(bytes[start..<min(start + size, bytes.count)])
                start += size
            }
            if let last = reader.end() { records.append(last) }
            #expect(records.map { "\($0.line) \($0.fields)" } == expected, "in pieces of \(size)")
        }
        for text in ["a,b\r\"x\ry\",1\r\rlast,2", "a,b\r\"x\ry\",1\r\rlast,2\r"] {
            var reader = CSVReader()
            let records = try reader.read(Array(text.utf8)) + [reader.end()].compactMap(\.self)
            let expected = ["1 [\"a\", \"b\"]", "2 [\"x\\ry\", \"1\"]", "4 [\"last\", \"2\"]"]
            #expect(records.map { "\($0.line) \($0.fields)" } == expected, "CR alone ends a line, too")
        }
        var reader = CSVReader()
        let error = #expect(throws: CSVReader.TooLong.self) {
            try reader.read(Array("a\n\"".utf8) + [UInt8](repeating: 0x61, count: CSVReader.recordBytes + 1))
        }
        #expect(error?.line == 2)
    }
}
