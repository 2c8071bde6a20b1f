// Tests how queries and forms are parsed and encoded.
import HTTP
import Testing

@Suite("Form fields")
struct FormFieldsTests {
    @Test("Fields are read in order, with repeats, empty values and names without =")
    func reading() throws {
        let form = try FormFields(urlEncoded: "a=1&b=x+y%2B&&a=&c&=d")
        let wanted = [("a", "1"), ("b", "x y+"), ("a", ""), ("c", ""), ("", "d")]
        #expect(form == FormFields(wanted.map { FormFields.Field(name: $0.0, value: $0.1) }))
        #expect(form.first("a") == "1")
        #expect(form.all("a") == ["1", ""])
        #expect(form.contains("c") && !form.contains("d"))
        #expect(form.first("none") == nil)
    }

    @Test("A second = is part of the value")
    func secondEquals() throws {
        #expect(try FormFields(urlEncoded: "a=b=c").first("a") == "b=c")
    }

    @Test("Encoded fields are parsed back unchanged", arguments: ["", "a b", "&=+%", "é\u{1F600}", "a\nb"])
    func roundTrip(text: String) throws {
        var form = FormFields()
        form.append(text, text)
        form.append("second", "value")
        let again = try FormFields(urlEncoded: form.urlEncoded)
        #expect(again == form)
    }

    @Test(
        "Invalid escapes, NUL and bytes that are not UTF-8 are rejected",
        arguments: [
            ("a=%", PercentCoding.Fault.escape), ("a=%4", .escape), ("a=%4g", .escape), ("%00=", .control),
            ("a=%80", .encoding),
            ("a=%ed%a0%80", .encoding),
        ])
    func faults(text: String, fault: PercentCoding.Fault) {
        #expect(throws: FormFields.Fault.text(fault)) { try FormFields(urlEncoded: text) }
    }

    @Test("S29: the maximum number of fields is accepted, one more is rejected")
    func limit() throws {
        #expect(try FormFields(urlEncoded: "a&b&c", limit: 3).fields.count == 3)
        #expect(throws: FormFields.Fault.tooMany(limit: 3)) { try FormFields(urlEncoded: "a&b&c&d", limit: 3) }
    }

    @Test("S49: 100 kB of escapes are read")
    func large() throws {
        let text = "a=" + String(repeating: "%41", count: 100_000)
        #expect(try FormFields(urlEncoded: text).first("a")?.utf8.count == 100_000)
    }
}
