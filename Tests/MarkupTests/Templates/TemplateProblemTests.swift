// Tests that errors of templates are reported with their location before use.

import Markup
import Testing

@Suite struct TemplateProblemTests {
    @Test(
        "S2: a value is not allowed where no escaping makes it safe",
        arguments: [
            ("<p title={{v}}>", "1:10 a value is not allowed in an attribute value without quotes"),
            ("<p title=a{{v}}>", "1:11 a value is not allowed in an attribute value without quotes"),
            ("<p {{v}}>", "1:4 a value is not allowed in a tag outside an attribute value"),
            ("<p data-{{v}}=\"x\">", "1:9 a value is not allowed in the name of an attribute"),
            ("<{{v}}>", "1:2 a value is not allowed in the name of a tag"),
            ("<p{{v}}>", "1:3 a value is not allowed in the name of a tag"),
            ("</{{v}}>", "1:3 a value is not allowed in the name of a tag"),
            ("</p {{v}}>", "1:5 a value is not allowed in an end tag"),
            ("<script>{{v}}</script>", "1:9 a value is not allowed in <script>"),
            ("<STYLE>{{v}}</STYLE>", "1:8 a value is not allowed in <style>"),
            ("<script></scriptx>{{v}}</script>", "1:19 a value is not allowed in <script>"),
            ("<!-- {{v}} -->", "1:6 a value is not allowed in a comment"),
            ("<!doctype {{v}}>", "1:11 a value is not allowed in a declaration"),
            ("<p onclick=\"{{v}}\">", "1:13 a value is not allowed in the attribute onclick"),
            ("<p ONCLICK='x{{v}}'>", "1:14 a value is not allowed in the attribute onclick"),
            ("<p style=\"{{v}}\">", "1:11 a value is not allowed in the attribute style"),
            ("<iframe srcdoc=\"{{v}}\"></iframe>", "1:17 a value is not allowed in the attribute srcdoc"),
            ("<script src=\"{{v}}\"></script>", "1:14 a value is not allowed at the start of the URL of <script>"),
            (
                "<a href=\"javascript:{{v}}\">",
                "1:21 before a value, the URL in href must start with / ? # http:// https:// or mailto:"
            ),
            (
                "<a href=\"//{{v}}\">",
                "1:12 before a value, the URL in href must start with / ? # http:// https:// or mailto:"
            ),
            (
                "<a href=\"queue/{{v}}\">",
                "1:16 before a value, the URL in href must start with / ? # http:// https:// or mailto:"
            ),
            (
                "<a href=\"{{#if v}}/x{{/if}}{{v}}\">",
                "1:10 a block must end in the context where it starts: one branch ends in the attribute href, at its start, "
                    + "the other in the attribute href"
            ),
            ("<p{{#if v}}x{{/if}}>", "1:12 a space is missing before an attribute"),
            ("<p {{#if v}}on{{/if}}click=\"{{v}}\">", "1:22 a space is missing before an attribute"),
            ("<p on{{#if v}}click{{/if}}=\"x\">", "1:15 a space is missing before an attribute"),
            ("<p a = \"x\">", "1:6 attributes must be written as name=\"value\""),
            ("<p a\"x\">", "1:5 attributes must be written as name=\"value\""),
            ("<p title=\"a\"{{#each v}}b{{/each}}>", "1:24 a space is missing before an attribute"),
            ("<p {{#each v}}b{{/each}}>", "1:15 a space is missing before an attribute"),
            ("<script>{{#if v}}{{/if}}</script>", "1:9 a block is not allowed in <script>"),
            ("<p title={{#if v}}a{{/if}}>", "1:10 a block is not allowed in an attribute value without quotes"),
            ("<p title=\"{{> part}}\">", "1:11 {{>}} is only allowed in text"),
            ("<title>{{> part}}</title>", "1:8 {{>}} is only allowed in text"),
            ("<p title=\"{{#block b}}{{/block}}\">", "1:11 {{#block}} is only allowed in text"),
        ])
    func badPlaces(source: String, problem: String) {
        #expect(TemplateFixture.problems(source, partials: ["part": "x"]).first == problem)
    }

    @Test(
        "unclosed and wrongly closed tags are reported",
        arguments: [
            ("{{#if a}}", "1:1 {{#if}} is never closed"),
            ("{{#if a}}{{else}}", "1:1 {{#if}} is never closed"),
            ("a\n\n  {{#each a}}b", "3:3 {{#each}} is never closed"),
            ("{{/if}}", "1:1 {{/if}} closes nothing"),
            ("{{#if a}}{{/each}}", "1:10 {{/each}} cannot close {{#if}} of line 1"),
            ("{{else}}", "1:1 {{else}} is only allowed once, in {{#if}}, {{#unless}} or {{#each}}"),
            (
                "{{#if a}}{{else}}{{else}}{{/if}}",
                "1:18 {{else}} is only allowed once, in {{#if}}, {{#unless}} or {{#each}}"
            ),
            ("x {{a", "1:3 this tag is never closed by }}"),
            ("{{}}", "1:1 invalid tag {{}}"),
            ("{{a b}}", "1:1 invalid tag {{a b}}"),
            ("{{a.}}", "1:1 invalid tag {{a.}}"),
            ("{{1a}}", "1:1 invalid tag {{1a}}"),
            ("{{{a}}}", "1:1 invalid tag {{{a}}"),
            ("{{@index}}", "1:1 invalid tag {{@index}}"),
            ("{{#with a}}{{/with}}", "1:1 invalid tag {{#with a}}"),
            ("{{#if}}", "1:1 invalid tag {{#if}}"),
            ("{{> }}", "1:1 invalid tag {{>}}"),
            ("{{#layout base}}", "1:1 invalid tag {{#layout base}}"),
            ("{{@first}}", "1:1 @first is only valid inside {{#each}}"),
            ("{{#each a}}{{else}}{{@number}}{{/each}}", "1:20 @number is only valid inside {{#each}}"),
            ("<p", "1:3 the file must end in text, after every tag and comment is closed"),
            ("<!-- a", "1:7 the file must end in text, after every tag and comment is closed"),
            ("<script>", "1:9 the file must end in text, after every tag and comment is closed"),
            (
                "{{#if a}}<p title=\"{{/if}}\">",
                "1:1 a block must end in the context where it starts: one branch ends in text, the other in the attribute title"
            ),
            (
                "{{#each a}}<p {{/each}}",
                "1:1 a block must end in the context where it starts: one branch ends in text, "
                    + "the other in a tag outside an attribute value"
            ),
        ])
    func badStructure(source: String, problem: String) {
        #expect(TemplateFixture.problems(source).first == problem)
    }

    @Test(
        "layouts, fills, blocks and partials must match",
        arguments: [
            ("{{#layout \"none\"}}", "1:1 unknown layout none"),
            ("a{{#layout \"base\"}}", "1:2 {{#layout}} must be the first thing in a file"),
            ("{{#layout \"base\"}}{{#fill x}}{{/fill}}", "1:19 the layout base has no block x"),
            ("{{#layout \"base\"}}{{#fill main}}{{/fill}}{{#fill main}}{{/fill}}", "1:42 main is filled twice"),
            (
                "{{#layout \"base\"}}text",
                "1:23 everything in a file with a {{#layout}} must be inside a {{#fill}}"
            ),
            ("{{#fill main}}{{/fill}}", "1:1 {{#fill}} requires a {{#layout}} at the start of the file"),
            (
                "{{#layout \"base\"}}{{#fill main}}{{#fill main}}{{/fill}}{{/fill}}",
                "1:33 {{#fill}} is not allowed inside another block"
            ),
            ("{{#layout \"page\"}}", "1:1 this layout contains itself"),
            ("{{> none}}", "1:1 unknown template none"),
            ("{{> base}}", "1:1 base has a {{#block}}: it is a layout, not a partial"),
            ("{{> filled}}", "1:1 filled has a layout: it is a page, not a partial"),
        ])
    func badLinks(source: String, problem: String) {
        let partials = [
            "base": "{{#block main}}{{/block}}", "filled": "{{#layout \"base\"}}{{#fill main}}x{{/fill}}",
        ]
        #expect(TemplateFixture.problems(source, partials: partials).contains(problem))
    }

    @Test("all errors of all files are reported at once, in order")
    func allAtOnce() throws {
        let failure = #expect(throws: TemplateFailure.self) {
            try TemplateSet(sources: [
                "b": "{{x y}}\n<p {{v}}>\n{{> none}}", "a/b": "{{#if z}}", "good": "{{v}}",
            ])
        }
        #expect(
            failure?.description == """
                a/b.html:1:1: {{#if}} is never closed
                b.html:1:1: invalid tag {{x y}}
                b.html:2:4: a value is not allowed in a tag outside an attribute value
                b.html:3:1: unknown template none
                """)
    }
}
