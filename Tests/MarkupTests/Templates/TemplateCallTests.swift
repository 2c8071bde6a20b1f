// Tests partials with arguments: {{> partial name="text" other=path flag}}.

import Markup
import Testing

@Suite struct TemplateCallTests {
    private static let partials = [
        "field":
            "<b>{{label}}</b>{{#if required}}*{{/if}}{{> hint}}{{#each errors}}<i>{{this}}</i>{{/each}}<u>{{value}}</u>",
        "hint": "{{#if hint}}({{hint}}){{/if}}",
    ]

    private func render(_ source: String, _ fields: [String: TemplateValue] = [:]) throws -> String {
        try TemplateFixture.render(source, fields, partials: Self.partials)
    }

    @Test("Quoted texts, values and flags are the names of the partial; others are empty in it")
    func arguments() throws {
        #expect(try render(#"{{> field label="A & B" required}}"#) == "<b>A &amp; B</b>*<u></u>")
        let fields: [String: TemplateValue] = [
            "title": .string("x<y"), "problems": .array([.string("Too long.")]), "hint": .string("of the page"),
        ]
        #expect(
            try render(#"{{> field label="" hint="Its = sign" errors=problems value=title}}"#, fields)
                == "<b></b>(Its = sign)<i>Too long.</i><u>x&lt;y</u>")
        // A name of the page is not seen, so that a partial can't depend on where it is used.
        #expect(try render(#"{{> field label="a"}}{{hint}}"#, fields) == "<b>a</b><u></u>of the page")
        #expect(
            try render(#"{{#each problems}}{{> field label=this value=@number}}{{/each}}"#, fields)
                == "<b>Too long.</b><u>1</u>")
    }

    @Test("Unknown partials and names, and malformed arguments are problems of the template")
    func problems() {
        func problems(_ source: String) -> [String] { TemplateFixture.problems(source, partials: Self.partials) }
        #expect(problems(#"{{> field lable="a"}}"#) == ["1:1 field uses no lable"])
        #expect(problems(#"{{> feld label="a"}}"#) == ["1:1 unknown template feld"])
        #expect(problems(#"{{> field label="a" 7=b}}"#) == [#"1:1 invalid tag {{> field label="a" 7=b}}"#])
        #expect(problems(#"{{> field label="a}}"#) == [#"1:1 invalid tag {{> field label="a}}"#])
        #expect(problems(#"{{> field label=@first}}"#) == ["1:1 @first is only valid inside {{#each}}"])
        #expect(problems(#"<p title="{{> field label="a"}}">"#) == ["1:11 {{>}} is only allowed in text"])
    }

    @Test("A value that the page lacks is an error when the page is rendered")
    func missing() {
        #expect(throws: TemplateProblem.self) { try render("{{> field label=title}}") }
    }
}
