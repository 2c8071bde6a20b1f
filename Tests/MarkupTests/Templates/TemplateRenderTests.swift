// Tests rendering: names, conditions, lists, partials, white space.

import Markup
import Testing

@Suite struct TemplateRenderTests {
    @Test("names and dotted names are rendered, nil as nothing")
    func names() throws {
        let fields: [String: TemplateValue] = [
            "name": .string("A & B"), "item": .object(["title": .string("T"), "none": .null]), "none": .null,
            "n": .int(-3), "d": .double(1.5), "whole": .double(2), "yes": .bool(true), "no": .bool(false),
        ]
        let source =
            "{{name}}|{{ item.title }}|{{item.none}}|{{none}}|{{none.deeper}}|{{n}}|{{d}}|{{whole}}|{{yes}}|{{no}}"
        #expect(try TemplateFixture.render(source, fields) == "A &amp; B|T||||-3|1.5|2|true|false")
        #expect(try TemplateFixture.render("", fields) == "")
        #expect(try TemplateFixture.render("{ {{name}} } }} {", fields) == "{ A &amp; B } }} {")
    }

    @Test(
        "an unknown name is an error with its location",
        arguments: [
            "{{x}}", "{{item.x}}", "{{#if x}}{{/if}}", "{{#each x}}{{/each}}", "{{item.title.x}}", "{{this.x}}",
        ])
    func unknown(tag: String) {
        let fields: [String: TemplateValue] = ["item": .object(["title": .string("T")])]
        let problem = #expect(throws: TemplateProblem.self) { try TemplateFixture.render("a\n é\(tag)", fields) }
        #expect(problem?.location.description == "page.html:2:3")
        #expect(problem?.message.hasPrefix("unknown value ") == true)
    }

    @Test("a list or an object cannot be rendered, and only a list can be repeated")
    func wrongKinds() {
        let fields: [String: TemplateValue] = ["list": .array([.null]), "object": .object([:]), "text": .string("t")]
        for source in ["{{list}}", "{{object}}", "{{#each text}}{{/each}}", "{{#each object}}{{/each}}"] {
            #expect(throws: TemplateProblem.self, "\(source)") { try TemplateFixture.render(source, fields) }
        }
    }

    @Test(
        "false, nil, the empty string and the empty list are false, all else is true",
        arguments: [
            (.bool(false), false), (.null, false), (.string(""), false), (.array([]), false), (.bool(true), true),
            (.int(0), true), (.double(0), true), (.string("0"), true), (.string(" "), true), (.array([.null]), true),
            (.object([:]), true), (.html(SafeHTML(trusted: "")), false), (.html(SafeHTML(trusted: " ")), true),
        ] as [(TemplateValue, Bool)])
    func truth(value: TemplateValue, isTrue: Bool) throws {
        let source = "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}no{{else}}yes{{/unless}} {{#if v}}yes{{/if}}"
        let expected = isTrue ? "yes yes yes" : "no no "
        #expect(try TemplateFixture.render(source, ["v": value]) == expected)
    }

    @Test("a list repeats its body; names are looked up in the item first, then in the outer scopes")
    func lists() throws {
        let fields: [String: TemplateValue] = [
            "title": .string("outer"), "site": .string("S"), "none": .array([]), "null": .null,
            "items": .array([.object(["title": .string("a")]), .object(["other": .null])]),
            "words": .array([.string("x"), .int(2), .string("<")]),
        ]
        #expect(try TemplateFixture.render("{{#each items}}{{title}}{{site}} {{/each}}", fields) == "aS outerS ")
        #expect(
            try TemplateFixture.render(
                "{{#each words}}{{@number}}{{#if @first}}f{{/if}}{{#unless @last}},{{/unless}}{{this}};{{/each}}",
                fields)
                == "1f,x;2,2;3&lt;;")
        #expect(try TemplateFixture.render("{{#each none}}x{{else}}empty{{/each}}", fields) == "empty")
        #expect(try TemplateFixture.render("{{#each null}}x{{else}}empty{{/each}}", fields) == "empty")
        #expect(try TemplateFixture.render("{{#each none}}x{{/each}}", fields) == "")
        let nested: TemplateValue = .array([.array([.int(1), .int(2)]), .array([.int(3)])])
        #expect(
            try TemplateFixture.render(
                "{{#each rows}}{{#each this}}{{this}}{{@number}} {{/each}}{{@number}}/{{/each}}", ["rows": nested])
                == "11 22 1/31 2/")
    }

    @Test("partials use the surrounding scope, or a value")
    func partials() throws {
        let partials = ["parts/name": "[{{name}}]", "tree": "{{name}}{{#each children}}({{> tree}}){{/each}}"]
        let leaf: TemplateValue = .object(["name": .string("c"), "children": .array([])])
        let fields: [String: TemplateValue] = [
            "name": .string("a"), "user": .object(["name": .string("b")]), "children": .array([leaf]),
            "people": .array([.object(["name": .string("d")])]),
        ]
        let source =
            "{{> parts/name}}{{> parts/name user}}{{#each people}}{{> parts/name}}{{> parts/name this}}{{/each}}"
        #expect(try TemplateFixture.render(source, fields, partials: partials) == "[a][b][d][d]")
        #expect(try TemplateFixture.render("{{> tree}}", fields, partials: partials) == "a(c)")
        let endless = #expect(throws: TemplateProblem.self) {
            try TemplateFixture.render("{{> a}}", fields, partials: ["a": "x{{> a}}"])
        }
        #expect(endless?.message == "a includes itself too deeply")
    }

    @Test("a line with only a tag is removed, other lines are kept")
    func whiteSpace() throws {
        let fields: [String: TemplateValue] = ["yes": .bool(true), "items": .array([.int(1), .int(2)])]
        let source = """
            <ul>
              {{! a comment
                  of two lines }}
              {{#each items}}
              <li>{{this}}</li>
              {{else}}
              none
              {{/each}}
            </ul>
            {{#if yes}} a {{/if}}
            b {{#if yes}}
            c
            \t{{/if}}\t
            {{> part}}
            {{yes}}
            """
        let expected = "<ul>\n  <li>1</li>\n  <li>2</li>\n</ul>\n a \nb \nc\nP\ntrue"
        #expect(try TemplateFixture.render(source, fields, partials: ["part": "P\n"]) == expected)
        let carriageReturns = "a\r\n{{#if yes}}\r\nb\r\n{{/if}}\r\nc"
        #expect(try TemplateFixture.render(carriageReturns, fields) == "a\r\nb\r\nc")
    }

    @Test("the names of a page include those of its layout and partials")
    func namesUsed() throws {
        let templates = try TemplateSet(sources: [
            "page": "{{#layout \"base\"}}{{#fill main}}{{title}}{{#each items}}{{item.x}}{{@number}}{{/each}}"
                + "{{> part user}}{{/fill}}",
            "base": "{{#if flag}}{{/if}}{{#block main}}{{standard}}{{/block}}", "part": "{{name}}{{this}}{{> part}}",
        ])
        #expect(templates.namesUsed(in: "page") == ["flag", "item.x", "items", "name", "title", "user"])
        #expect(templates.namesUsed(in: "nothing") == [])
        #expect(templates.names == ["base", "page", "part"])
        #expect(throws: TemplateProblem.self) { try templates.render("nothing", [String: String]()) }
    }
}
