// Tests the names of columns and the roles that tables of lists get.
@testable import Markup
import Testing

@Suite struct CardTableTests {
    private static let head = #"<table class="cards wide" aria-label="Feeds"><thead><tr><th scope="col">Feed</th>"#

    @Test("The cells of a table of a list name their columns; tables, rows and cells have their roles")
    func completed() {
        let source =
            #"\#(Self.head)<th scope="col">Filled  by</th></tr></thead><tbody><tr id="x"><th scope="row">A</th>"#
            + #"<td class="number">2 <b>b</b></td></tr></tbody></table><td>"#
        let expected = [
            #"<table class="cards wide" aria-label="Feeds" role="table"><thead role="rowgroup"><tr role="row">"#,
            #"<th scope="col" role="columnheader">Feed</th>"#,
            #"<th scope="col" role="columnheader">Filled  by</th></tr></thead>"#,
            #"<tbody role="rowgroup"><tr id="x" role="row"><th scope="row" role="rowheader">A</th>"#,
            #"<td class="number" data-column="Filled by" role="cell">2 <b>b</b></td></tr></tbody></table><td>"#,
        ]
        #expect(CardTable.completed(source) == expected.joined())
    }

    /// The names that the cells of a row get.
    private func names(_ headers: String, _ cells: String) -> [String] {
        let rows = "<tbody>{{#each rows}}<tr>\(cells)</tr>{{else}}<tr></tr>{{/each}}</tbody>"
        let source = CardTable.completed(#"\#(Self.head)\#(headers)</tr></thead>\#(rows)</table>"#)
        return source.matches(of: #/<td(?: data-column="([^"]*)")? role="cell">/#).map { String($0.1 ?? "-") }
    }

    @Test("A cell has the name of the header in the same place, also after blocks and where a header has none")
    func columns() {
        #expect(names("<th>A</th><th>B</th>", "<th>f</th><td>a</td><td>b</td>") == ["A", "B"])
        // A name may precede the heading of the row, and a column may depend on a condition.
        #expect(names("<th>A</th>", "<td>f</td><th>a</th>") == ["Feed"])
        #expect(
            names("{{#if p}}<th>A</th>{{/if}}<th>B</th>", "<th>f</th>{{#if q}}<td>a</td>{{/if}}<td>b</td>")
                == ["A", "B"])
        #expect(
            names(
                "<th>A</th><th>B</th>",
                "<th>f</th>{{#if p}}<td>{{#if q}}a{{/if}}</td>{{else}}<td>c</td>{{/if}}<td>b</td>")
                == ["A", "A", "B"])
        #expect(names("<th><svg></svg></th><th>B</th>", "<th>f</th><td>a</td><td>b</td>") == ["-", "B"])
        #expect(names("<th><span class=\"x\">A</span></th>", "<th>f</th><td>a</td><td>b</td>") == ["A", "-"])
        #expect(names("<th>Say \"A\"</th>", "<th>f</th><td>a</td>") == ["Say &quot;A&quot;"])
    }

    @Test("A header with a value gives no name, because rows have other values; a cell can have a name of its own")
    func values() {
        #expect(names("<th>In {{tag}}</th><th>B</th>", "<th>f</th><td>a</td><td>b</td>") == ["-", "B"])
        let own =
            #"<table class="cards"><thead><tr><th>A</th></tr></thead><tbody><tr><td data-column="{{x}}">a</td></tr>"#
        #expect(CardTable.completed(own).hasSuffix(#"<tr role="row"><td data-column="{{x}}" role="cell">a</td></tr>"#))
    }

    @Test("Other tables stay as they are")
    func others() {
        let plain = "<table class=\"x\"><thead><tr><th>A</th></tr></thead><tbody><tr><td>a</td></tr></tbody></table>"
        #expect(CardTable.completed(plain) == plain)
        #expect(CardTable.completed(plain + "<table class=\"cards\"></table>").hasPrefix(plain))
    }

    @Test("Templates are completed when they are loaded, also tags with a condition")
    func pages() throws {
        let row = "<tr{{#if @first}} autofocus{{/if}}><td>{{this}}</td></tr>"
        let html = try TemplateFixture.render(
            "\(Self.head)</tr></thead><tbody>{{#each rows}}\(row){{/each}}</tbody></table>",
            ["rows": .array([.string("a")])])
        let expected = #"<tr autofocus role="row"><td data-column="Feed" role="cell">a</td></tr></tbody></table>"#
        #expect(html.hasSuffix(expected))
    }
}
