// Tests reading records from tables and JSON documents in chunks of any size.
import Domain
import Editorial
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

    @Test("UTF-16 is refused, with or without a byte order mark; a cell of another encoding is an error")
    func encodings() throws {
        let refusal = Failure.refused(code: "encoding", message: "The file is UTF-16. Save it as UTF-8.")
        let text: [UInt8] = [0x61, 0x00, 0x0A, 0x00]
        for bytes in [[0xFF, 0xFE] + text, [0xFE, 0xFF, 0x00, 0x61], text] as [[UInt8]] {
            var reader = RecordReader(bytes)
            #expect(throws: refusal) { try reader.next(1) }
        }
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
        for other in [
            #"{"type": "Topology", "objects": {"a": {"type": "Point"}}, "arcs": []}"#, #"{"elements": []}"#, "[]",
        ] {
            #expect(try records(other, chunkSize: size).isEmpty, "\(other)")
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
}
