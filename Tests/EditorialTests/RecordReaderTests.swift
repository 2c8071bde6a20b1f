// Tests reading records from tables and JSON documents in chunks of any size.
import Domain
import Operations
import Places
import Testing

@Suite("Record reader")
struct RecordReaderTests {
    private func records(_ text: String, chunkSize size: Int) throws -> [ImportRecord] {
        var rest = Array(text.utf8)[...]
        var reader = RecordReader {
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        var all: [ImportRecord] = []
        while true {
            let batch = try reader.next(2)
            if batch.isEmpty { return all }
            all += batch
        }
    }

    @Test("B64: a table with quotes, line breaks in fields and a byte order mark", arguments: [1, 2, 7, 4096])
    func table(size: Int) throws {
        let text =
            "\u{FEFF}Name,Address,Note\r\n\"Green, \"\"the\"\" Door\",\"1 Quay\nHarbour\",\r\n\r\nBlue,2 Quay,x\n"
        let found = try records(text, chunkSize: size)
        #expect(found.map(\.location) == ["line 2", "line 5"])
        #expect(found.first?.values["name"] == "Green, \"the\" Door")
        #expect(found.first?.values["address"] == "1 Quay\nHarbour")
        #expect(found.first?.values["note"] == nil, "what is empty is not there")
        #expect(found.last?.values["note"] == "x")
    }

    @Test("Semicolons and tabs are separators too; with tabs quotes are literal; the last line needs no line break")
    func separators() throws {
        #expect(try records("a;b\n1,5;2", chunkSize: 3).first?.values == ["a": "1,5", "b": "2"])
        #expect(try records("a\tb\n\"x\"\ty", chunkSize: 3).first?.values == ["a": "\"x\"", "b": "y"])
        #expect(try records("a,b\n1", chunkSize: 3).first?.values == ["a": "1"])
        for size in 1...6 {
            #expect(try records("a,b\r1,2\r3,4", chunkSize: size).map(\.location) == ["line 2", "line 3"])
            #expect(try records("a,b\r\n1,2\r\n\r\n3,4\r\n", chunkSize: size).map(\.location) == ["line 2", "line 4"])
        }
    }

    @Test(
        "The separator is the one that divides most rows like the first",
        arguments: [
            (
                "name;address, city;lat\nInn;1 Quay, London;51,5\n",
                ["name": "Inn", "address, city": "1 Quay, London", "lat": "51,5"]
            ),
            ("id;lat;lon\n1;51,5;-0,1\n2;51,6;-0,2\n", ["id": "1", "lat": "51,5", "lon": "-0,1"]),
            ("name|lat|lon\nInn, old|1|2\n", ["name": "Inn, old", "lat": "1", "lon": "2"]),
            ("name\tlat, lon\nInn\t1,2\n", ["name": "Inn", "lat, lon": "1,2"]),
            ("\"a;b\",c\n1,2\n", ["a;b": "1", "c": "2"]),
            ("sep=;\r\na,b;c\r\n1;2\r\n", ["a,b": "1", "c": "2"]), ("a;b;;\n1;2;;\n", ["a": "1", "b": "2"]),
        ] as [(String, [String: JSONValue])])
    func separator(text: String, values: [String: JSONValue]) throws {
        for size in [1, 5, 4096] { #expect(try records(text, chunkSize: size).first?.values == values) }
    }

    @Test("Records of a table whose numbers have decimal commas say so; texts of JSON never have them")
    func decimalCommas() throws {
        for size in [1, 4096] {
            #expect(try records("a;b\n1,5;1.234\n", chunkSize: size).map(\.hasDecimalCommas) == [true])
            #expect(try records("a,b\n1.5,1.234\n", chunkSize: size).map(\.hasDecimalCommas) == [false])
            #expect(try records(#"[{"a": "1,5"}]"#, chunkSize: size).map(\.hasDecimalCommas) == [false])
        }
    }

    @Test("After the line that names the separator, lines are those of the file")
    func namedSeparator() throws {
        #expect(try records("sep=;\na;b\n1;2\n", chunkSize: 4).map(\.location) == ["line 3"])
    }

    @Test("UTF-16 is decoded, with or without a byte order mark; a cell of another encoding is an error")
    func encodings() throws {
        let text = "name;place\r\nCafé 🐦;Köln\r\n"
        for isBigEndian in [false, true] {
            let units = text.utf16.flatMap { unit -> [UInt8] in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                return isBigEndian ? [high, low] : [low, high]
            }
            for mark in [isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE], []] as [[UInt8]] {
                for size in [1, 3, 4096] {
                    var rest = (mark + units)[...]
                    var reader = RecordReader {
                        defer { rest = rest.dropFirst(size) }
                        return Array(rest.prefix(size))
                    }
                    #expect(try reader.next(2).map(\.values) == [["name": "Café 🐦", "place": "Köln"]])
                }
            }
        }
        let object = #"[{"name":"Ä"}]"#.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        var objects = RecordReader([0xFF, 0xFE] + object)
        #expect(try objects.next(2).map(\.values) == [["name": "Ä"]])
        var reader = RecordReader(Array("name\nCaf".utf8) + [0xE9])
        #expect(try reader.next(1).first?.problem == "The column name is not UTF-8. Save the file as UTF-8.")
    }

    @Test("A row with too many columns is an error; an unclosed quote refuses the file")
    func faults() throws {
        #expect(try records("a,b\n1,2,3\n4,5", chunkSize: 5).map { $0.problem == nil } == [false, true])
        let surplus = try records("a,b\n1,2,,\n,,,\n3,,,4\n5,\n", chunkSize: 5)
        #expect(surplus.map(\.location) == ["line 2", "line 4", "line 5"])
        #expect(surplus.map { $0.problem == nil } == [true, false, true], "empty cells are not too many")
        #expect(surplus.first?.values == ["a": "1", "b": "2"])
        #expect(throws: Failure.self) { _ = try records("a,b\n\"1,2\n", chunkSize: 5) }
        #expect(throws: Failure.self) { _ = try records("[{\"a\": 1}", chunkSize: 5) }
        #expect(try records("[{\"a\": }, {\"a\": 1}]", chunkSize: 5).map { $0.problem == nil } == [false, true])
        #expect(try records("", chunkSize: 5).isEmpty)
        #expect(try records("{\"type\": \"FeatureCollection\", \"features\": []}", chunkSize: 5).isEmpty)
    }

    @Test("A single feature, an object in each line, and RFC 8142 have records, too", arguments: [1, 3, 4096])
    func lines(size: Int) throws {
        func feature(_ name: String) -> String {
            #"{"type": "Feature", "bbox": [1, 2, 3, 4], "properties": {"name": "\#(name)"}, "#
                + #""geometry": {"type": "Point", "coordinates": [-0.1, 51.5]}}"#
        }
        let one = try records(feature("Inn"), chunkSize: size)
        #expect(one.map(\.location) == ["object 1"] && one.first?.values["lat"] == .double(51.5))
        for text in ["\(feature("Inn"))\n\(feature("Quay"))\n", "\u{1E}\(feature("Inn"))\n\u{1E}\(feature("Quay"))\n"] {
            #expect(try records(text, chunkSize: size).map { $0.values["name"] } == ["Inn", "Quay"])
        }
        let plain = try records("{\"name\": \"A }\"}\n{\"name\": }\n", chunkSize: size)
        #expect(plain.map { $0.problem == nil } == [true, false] && plain.first?.values["name"] == "A }")
        for other in [#"{"elements": []}"#, "[]"] {
            #expect(try records(other, chunkSize: size).isEmpty, "\(other)")
        }
    }

    @Test(
        "A file of another format is refused by its name",
        arguments: [
            (Array(#"{"type": "Topology", "objects": {"a": {"type": "Point"}}, "arcs": []}"#.utf8), "TopoJSON"),
            (Array(#"{"type":"Point","coordinates":[1,2]}"#.utf8), "geometry"),
            (Array(#"{"geometryType":"esriGeometryPoint","fields":{},"features":[]}"#.utf8), "Esri JSON"),
            (Array(#"{"x": 1, "points": [[1, 2]], "spatialReference": {"wkid": 4326}}"#.utf8), "Esri JSON"),
            (Array("<?xml version=\"1.0\"?>\n<kml xmlns=\"x\"></kml>".utf8), "KML"), (Array("  <gpx>".utf8), "GPX"),
            (Array("<!DOCTYPE html><html>".utf8), "HTML"), (Array("<a/>".utf8), "XML"),
            (Array("PK\u{3}\u{4}".utf8) + [0, 0, 1], "spreadsheet"), ([0x1F, 0x8B, 8, 0, 0], "gzip"),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1], "old spreadsheet"), (Array("%PDF-1.7".utf8), "PDF"),
            ([0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], "UTF-32"), ([0x61, 0, 0, 0x62], "not text"),
        ] as [([UInt8], String)])
    func formats(bytes: [UInt8], name: String) throws {
        var reader = RecordReader(bytes)
        do {
            _ = try reader.next(1)
            Issue.record("\(name) was read")
        } catch Failure.refused(_, let message) {
            #expect(message.contains(name))
        }
    }

    @Test(
        "B64: features have their properties, their id and coordinates; a building has those of its center",
        arguments: [1, 3, 4096])
    func features(size: Int) throws {
        let text = """
            {"type": "FeatureCollection", "note": "a ] in \\"text\\" {", "features": [
             {"type": "Feature", "id": "node/1", "properties": {"Name": "Inn", "@id": "x", "tags": {"beer": "yes"}},
              "geometry": {"type": "Point", "coordinates": [-0.1, 51.5]}},
             {"type": "Feature", "properties": {"name": "House", "fee": " "},
              "geometry": {"type": "Polygon", "coordinates": [[[1, 10], [3, 10], [3, 12], [1, 12], [1, 10]]]}}]}
            """
        let found = try records(text, chunkSize: size)
        #expect(found.map(\.location) == ["object 1", "object 2"])
        #expect(found.first?.values["id"] == "node/1")
        #expect(found.first?.values["name"] == "Inn")
        #expect(found.first?.values["beer"] == "yes")
        #expect(found.first?.values["lat"] == .double(51.5))
        #expect(found.last?.values["lat"] == .int(11))
        #expect(found.last?.values["lon"] == .int(2))
        #expect(found.last?.values["fee"] == nil)
    }

    @Test("An outer member wins over one of a nested object, whatever their order")
    func nestedNames() throws {
        let plain = #"[{"address": {"id": 7, "postcode": "HU1"}, "city": {"name": "Hull"}, "id": 9, "name": "Inn"}]"#
        #expect(
            try records(plain, chunkSize: 64).first?.values == ["id": .int(9), "name": "Inn", "postcode": "HU1"])
        let crs = #""crs": {"type": "name", "properties": {"name": "EPSG:4326"}}"#
        let feature = #"{"type": "Feature", \#(crs), "properties": {"name": "Quay", "type": "pier"}}"#
        #expect(try records(feature, chunkSize: 64).first?.values == ["name": "Quay", "type": "pier"])
    }

    @Test(
        "An object that can't be read says why and where; the others are read",
        arguments: [
            (#"{"id": 12345678901234567890}"#, "/id: This whole number has more than 64 bits. Send it as a string."),
            (#"{"tags": {"a": 1, "a": 2}}"#, "/tags/a: An object has the same member twice."),
            (#"{"name": "a\u0000"}"#, "/name: A NUL character at byte 18."),
            (#"{"size": [1, 1e400]}"#, "/size/1: This number is too large."),
        ])
    func unreadable(object: String, problem: String) throws {
        let found = try records("[\(object), {\"id\": 1}]", chunkSize: 3)
        #expect(found.map(\.problem) == [problem, nil])
    }

    @Test(
        "The center of a building is on its side of the 180th meridian",
        arguments: [
            ("[[[179, 1], [179, 3], [-179, 3], [-179, 1]]]", 180),
            ("[[[179, 1], [180, 3]], [[-180, 3], [-176, 1]]]", -178.5),
            ("[[[-170, 1], [170, 3]]]", 180), ("[[[-60, 1], [60, 3]]]", 0), ("[[[-180, 1], [180, 3]]]", 180),
        ] as [(String, Double)])
    func meridian(coordinates: String, lon: Double) throws {
        let feature =
            #"{"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": \#(coordinates)}}"#
        let values = try records(feature, chunkSize: 64).first?.values
        #expect(values?["lon"]?.doubleValue == lon && values?["lat"] == .int(2))
    }

    @Test("A table with two columns of one name is refused; columns without a name may be several")
    func columns() throws {
        for size in [1, 4096] {
            for text in ["id,name,Name\n1,a,b\n", "a;\" A \"\n1;2", "id,first  name,First Name\n"] {
                #expect(throws: Failure.self, "\(text)") { _ = try records(text, chunkSize: size) }
            }
            #expect(try records("id,,name,\n1,x,a,\n", chunkSize: size).first?.values["name"] == "a")
        }
    }
}
