// Finds everything that is wrong with a template before it is used, and says where.

import Markup
import Testing

@Suite struct TemplateProblemTests {
    @Test(
        "S2: a value may not stand where no escaping makes it safe",
        arguments: [
            ("<p title={{v}}>", "1:10 a value may not stand in an attribute value without quotes"),
            ("<p title=a{{v}}>", "1:11 a value may not stand in an attribute value without quotes"),
            ("<p {{v}}>", "1:4 a value may not stand in a tag outside an attribute value"),
            ("<p data-{{v}}=\"x\">", "1:9 a value may not stand in the name of an attribute"),
            ("<{{v}}>", "1:2 a value may not stand in the name of a tag"),
            ("<p{{v}}>", "1:3 a value may not stand in the name of a tag"),
            ("</{{v}}>", "1:3 a value may not stand in the name of a tag"),
            ("</p {{v}}>", "1:5 a value may not stand in an end tag"),
            ("<script>{{v}}</script>", "1:9 a value may not stand in <script>"),
            ("<STYLE>{{v}}</STYLE>", "1:8 a value may not stand in <style>"),
            ("<script></scriptx>{{v}}</script>", "1:19 a value may not stand in <script>"),
            ("<!-- {{v}} -->", "1:6 a value may not stand in a comment"),
            ("<!doctype {{v}}>", "1:11 a value may not stand in a declaration"),
            ("<p onclick=\"{{v}}\">", "1:13 a value may not stand in the attribute onclick"),
            ("<p ONCLICK='x{{v}}'>", "1:14 a value may not stand in the attribute onclick"),
            ("<p style=\"{{v}}\">", "1:11 a value may not stand in the attribute style"),
            ("<iframe srcdoc=\"{{v}}\"></iframe>", "1:17 a value may not stand in the attribute srcdoc"),
            ("<script src=\"{{v}}\"></script>", "1:14 a value may not begin the address of <script>"),
            (
                "<a href=\"javascript:{{v}}\">",
                "1:21 before a value, the address in href must begin with / ? # http:// https:// or mailto:"
            ),
            (
                "<a href=\"//{{v}}\">",
                "1:12 before a value, the address in href must begin with / ? # http:// https:// or mailto:"
            ),
            (
                "<a href=\"queue/{{v}}\">",
                "1:16 before a value, the address in href must begin with / ? # http:// https:// or mailto:"
            ),
            (
                "<a href=\"{{#if v}}/x{{/if}}{{v}}\">",
                "1:10 a block must end where it began: one way ends in the attribute href, at its start, "
                    + "the other in the attribute href"
            ),
            ("<p{{#if v}}x{{/if}}>", "1:12 a space is missing before an attribute"),
            ("<p {{#if v}}on{{/if}}click=\"{{v}}\">", "1:22 a space is missing before an attribute"),
            ("<p on{{#if v}}click{{/if}}=\"x\">", "1:15 a space is missing before an attribute"),
            ("<p a = \"x\">", "1:6 attributes must be written as name=\"value\""),
            ("<p a\"x\">", "1:5 attributes must be written as name=\"value\""),
            ("<p title=\"a\"{{#each v}}b{{/each}}>", "1:24 a space is missing before an attribute"),
            ("<p {{#each v}}b{{/each}}>", "1:15 a space is missing before an attribute"),
            ("<script>{{#if v}}{{/if}}</script>", "1:9 a block may not stand in <script>"),
            ("<p title={{#if v}}a{{/if}}>", "1:10 a block may not stand in an attribute value without quotes"),
            ("<p title=\"{{> part}}\">", "1:11 {{>}} may stand only in text"),
            ("<title>{{> part}}</title>", "1:8 {{>}} may stand only in text"),
            ("<p title=\"{{#block b}}{{/block}}\">", "1:11 {{#block}} may stand only in text"),
        ])
    func badPlaces(source: String, problem: String) {
        #expect(TemplateFixture.problems(source, partials: ["part": "x"]).first == problem)
    }

    @Test(
        "what is not closed or closed wrongly is told",
        arguments: [
            ("{{#if a}}", "1:1 {{#if}} is never closed"),
            ("{{#if a}}{{else}}", "1:1 {{#if}} is never closed"),
            ("a\n\n  {{#each a}}b", "3:3 {{#each}} is never closed"),
            ("{{/if}}", "1:1 {{/if}} closes nothing"),
            ("{{#if a}}{{/each}}", "1:10 {{/each}} cannot close {{#if}} of line 1"),
            ("{{else}}", "1:1 {{else}} may stand once in {{#if}}, {{#unless}} or {{#each}}"),
            ("{{#if a}}{{else}}{{else}}{{/if}}", "1:18 {{else}} may stand once in {{#if}}, {{#unless}} or {{#each}}"),
            ("x {{a", "1:3 this tag is never closed by }}"),
            ("{{}}", "1:1 cannot understand {{}}"),
            ("{{a b}}", "1:1 cannot understand {{a b}}"),
            ("{{a.}}", "1:1 cannot understand {{a.}}"),
            ("{{1a}}", "1:1 cannot understand {{1a}}"),
            ("{{{a}}}", "1:1 cannot understand {{{a}}"),
            ("{{@index}}", "1:1 cannot understand {{@index}}"),
            ("{{#with a}}{{/with}}", "1:1 cannot understand {{#with a}}"),
            ("{{#if}}", "1:1 cannot understand {{#if}}"),
            ("{{> }}", "1:1 cannot understand {{>}}"),
            ("{{#layout base}}", "1:1 cannot understand {{#layout base}}"),
            ("{{@first}}", "1:1 @first means something only inside {{#each}}"),
            ("{{#each a}}{{else}}{{@number}}{{/each}}", "1:20 @number means something only inside {{#each}}"),
            ("<p", "1:3 the file must end in text, after every tag and comment is closed"),
            ("<!-- a", "1:7 the file must end in text, after every tag and comment is closed"),
            ("<script>", "1:9 the file must end in text, after every tag and comment is closed"),
            (
                "{{#if a}}<p title=\"{{/if}}\">",
                "1:1 a block must end where it began: one way ends in text, the other in the attribute title"
            ),
            (
                "{{#each a}}<p {{/each}}",
                "1:1 a block must end where it began: one way ends in text, "
                    + "the other in a tag outside an attribute value"
            ),
        ])
    func badStructure(source: String, problem: String) {
        #expect(TemplateFixture.problems(source).first == problem)
    }

    @Test(
        "layouts, fills, blocks and partials must fit each other",
        arguments: [
            ("{{#layout \"none\"}}", "1:1 there is no layout none"),
            ("a{{#layout \"base\"}}", "1:2 {{#layout}} must be the first thing in a file"),
            ("{{#layout \"base\"}}{{#fill x}}{{/fill}}", "1:19 the layout base has no block x"),
            ("{{#layout \"base\"}}{{#fill main}}{{/fill}}{{#fill main}}{{/fill}}", "1:42 main is filled twice"),
            (
                "{{#layout \"base\"}}text",
                "1:23 everything in a file with a {{#layout}} must stand in a {{#fill}}"
            ),
            ("{{#fill main}}{{/fill}}", "1:1 {{#fill}} needs a {{#layout}} at the beginning of the file"),
            (
                "{{#layout \"base\"}}{{#fill main}}{{#fill main}}{{/fill}}{{/fill}}",
                "1:33 {{#fill}} may not stand in another block"
            ),
            ("{{#layout \"page\"}}", "1:1 this layout is in itself"),
            ("{{> none}}", "1:1 there is no template none"),
            ("{{> base}}", "1:1 base has a {{#block}}: it is a layout, not a partial"),
            ("{{> filled}}", "1:1 filled has a layout: it is a page, not a partial"),
        ])
    func badLinks(source: String, problem: String) {
        let partials = [
            "base": "{{#block main}}{{/block}}", "filled": "{{#layout \"base\"}}{{#fill main}}x{{/fill}}",
        ]
        #expect(TemplateFixture.problems(source, partials: partials).contains(problem))
    }

    @Test("every problem of every file is told at once, in order")
    func allAtOnce() throws {
        let failure = #expect(throws: TemplateFailure.self) {
            try TemplateSet(sources: [
                "b": "{{x y}}\n<p {{v}}>\n{{> none}}", "a/b": "{{#if z}}", "good": "{{v}}",
            ])
        }
        #expect(
            failure?.description == """
                a/b.html:1:1: {{#if}} is never closed
                b.html:1:1: cannot understand {{x y}}
                b.html:2:4: a value may not stand in a tag outside an attribute value
                b.html:3:1: there is no template none
                """)
    }
}
