// Tests the CSRF token and the form token that forms get.
import Markup
import Testing

@Suite struct TemplateFormTests {
    private static let field =
        #"<input type="hidden" name="csrf" value="t&amp;k"><input type="hidden" name="once" value="1">"#

    @Test(
        "S12: every form that posts gets both tokens, and no other form",
        arguments: [
            (#"<form method="post" action="/a">x</form>"#, #"<form method="post" action="/a">\#(field)x</form>"#),
            (
                #"<form action="/{{name}}" method="post"><b>x</b>"#,
                #"<form action="/n" method="post">\#(field)<b>x</b>"#
            ),
            (
                #"<form title="a>b" {{#if name}}class="c>"{{/if}} method="post">x"#,
                #"<form title="a>b" class="c>" method="post">\#(field)x"#
            ),
            (#"<form method="get">x</form><form>y</form>"#, #"<form method="get">x</form><form>y</form>"#),
            (
                #"{{#each rows}}<form method="post">{{n}}</form>{{/each}}"#,
                #"<form method="post">\#(field)1</form><form method="post">\#(field)2</form>"#
            ),
        ])
    func token(template: String, expected: String) throws {
        let html = try TemplateFixture.render(
            template,
            [
                "name": .string("n"), "rows": .array([.object(["n": .string("1")]), .object(["n": .string("2")])]),
                "page": .object(["csrf": .string("t&k"), "once": .string("1")]),
            ])
        #expect(html == expected)
    }
}
