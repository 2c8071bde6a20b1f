// Texts of templates: what a translator sees, and what a translated page contains.
@testable import Markup
import Testing

@Suite struct TemplateMessagesTests {

    private func all(_ source: String) -> [String] {
        TemplateMessages.of(source).map { message in (message.context.map { "\($0)| " } ?? "") + message.key }
    }

    @Test(arguments: [
        ("<p>Nothing to change.</p>", ["Nothing to change."]),
        ("<p>Read <a href=\"{{url}}\">the guide</a> first,\n   {{name}}.</p>", ["Read <a>the guide</a> first, {0}."]),
        ("<p>By {{a}} {{> partial/instant b}}</p>", ["p| By {0} {1}"]),
        ("<h1>Queue</h1><button class=\"x\"> Save </button>", ["h1| Queue", "button| Save"]),
        ("<p><a>First page</a> · <a>Last page</a></p>", ["First page", "Last page"]),
        ("<th><b>Title</b></th>", ["th| Title"]),
        ("<p>Press <kbd>q</kbd> or <kbd>w</kbd> now</p>", ["Press <kbd>q</kbd> or <kbd2>w</kbd2> now"]),
        ("<p>{{#if a}}Not yet{{else}}All done{{/if}}</p>", ["Not yet", "All done"]),
        ("<span class=\"tag\">{{x}}</span> &middot; 12", []),
        ("<p translate=\"no\">Vitrine rocks here</p><pre translate=\"no\"><b>Not this one</b></pre>", []),
        ("<code>make run</code> <kbd>Enter</kbd>", []),
        ("<script>let a = \"Not this text\"</script><!-- nor this one --><p>But this one</p>", ["But this one"]),
        (
            "<input placeholder=\"Enter a name\" name=\"Not this\" title=\"Move {{x}} up\">",
            ["Enter a name", "Move {0} up"]
        ),
        ("<nav aria-label=\"Breadcrumb\"></nav>", ["aria-label| Breadcrumb"]),
        ("<a href=\"x\"{{#if y}} aria-current=\"page\"{{/if}}>All of them</a>", ["All of them"]),
        ("<li><a href=\"x\">{{#if y}}The first{{/if}}</a></li>", ["The first"]),
        ("<p>{{n}} pending of <b>{{m}}</b>", ["{0} pending of <b>{1}</b>"]),
        ("{{> partial/input id=\"x\" label=\"Name\" hint=\"As you write it\"}}", ["As you write it", "label| Name"]),
        ("{{> partial/select id=\"x\" first=\"Choose…\" options=y}}", ["first| Choose…"]),
        ("<p>line one<br>line two</p>", ["line one<br>line two"]),
    ])
    func textsAreFound(source: String, keys: [String]) {
        #expect(all(source) == keys)
        #expect(TemplateMessages.translated(source) { _ in nil } == source)
    }

    private func translated(_ source: String, _ texts: [String: String]) -> String {
        TemplateMessages.translated(source) { texts[$0.key] }
    }

    @Test func translationsKeepValuesTagsAndSpace() {
        let source = "<p>\n  Read <a href=\"{{url}}\">the guide</a> first, {{name}}.\n</p>"
        let german = translated(source, ["Read <a>the guide</a> first, {0}.": "{0}, lies zuerst <a>die Anleitung</a>."])
        #expect(german == "<p>\n  {{name}}, lies zuerst <a href=\"{{url}}\">die Anleitung</a>.\n</p>")
    }

    @Test func translationsAddNoTagsOrValues() {
        let text = translated("<p>Some {{a}} text</p>", ["Some {0} text": "{1} <script>{{b}}</script> {0}"])
        #expect(text == "<p>{1} &lt;script>{{b}}&lt;/script> {{a}}</p>")
    }

    @Test func attributesAreTranslated() {
        let text = translated("<a title=\"Move {{x}} up\" href=\"{{y}}\">{{x}}</a>", ["Move {0} up": "{0} nach oben"])
        #expect(text == "<a title=\"{{x}} nach oben\" href=\"{{y}}\">{{x}}</a>")
        let quoted = translated("<a title=\"The one\">{{> b label=\"The one\"}}</a>", ["The one": "\"One\""])
        #expect(quoted == "<a title=\"&quot;One&quot;\">{{> b label=\"”One”\"}}</a>")
    }
}
