// Writes into tables of lists what their rows need as cards on phones: the name of its column in each cell, which the
// style sheet shows, and the roles of tables, which some browsers forget when a table is displayed as blocks.

struct CardTable {
    private static let start = #"<table class="cards"#

    private var result = ""
    private var isInTable = false
    private var isInHead = false
    /// The names of the columns; empty for one that has none or depends on a value.
    private var columns: [String] = []
    /// The text of the cell of the head that is being read; nil outside of one, and once it has a value.
    private var name: String?
    /// The column of the next cell of the row.
    private var column = 0
    /// The columns at which the open blocks of the row begin: both branches of one are in the same place.
    private var blocks: [Int] = []

    /// The source with each table completed whose first class is `cards`. A cell that names its column keeps that name.
    static func completed(_ source: String) -> String {
        guard source.contains(start) else { return source }
        var table = CardTable()
        for piece in TemplatePiece.pieces(of: source) { table.read(piece) }
        return table.result
    }

    private mutating func read(_ piece: TemplatePiece) {
        var source = piece.source
        switch piece.kind {
        case .start("table") where source.hasPrefix(Self.start):
            isInTable = true
            columns = []
            source = tag(source, #"role="table""#)
        case _ where !isInTable: break
        case .end("table"): isInTable = false
        case .start("thead"), .start("tbody"):
            isInHead = piece.kind == .start("thead")
            source = tag(source, #"role="rowgroup""#)
        case .start("tr"):
            column = 0
            blocks = []
            source = tag(source, #"role="row""#)
        case .start("th") where isInHead:
            name = ""
            source = tag(source, #"role="columnheader""#)
        case .end("th") where isInHead:
            columns.append(name.map(Self.trimmed) ?? "")
            name = nil
        case .start("th"):
            column += 1
            source = tag(source, #"role="rowheader""#)
        case .start("td"):
            source = tag(source, nextColumn(source) + #"role="cell""#)
        case .text: name? += source
        case .value: name = nil
        case .boundary where !isInHead: readBlock(source)
        default: break
        }
        result += source
    }

    private mutating func readBlock(_ source: String) {
        if source.hasPrefix("{{#") {
            blocks.append(column)
        } else if source.hasPrefix("{{/") {
            _ = blocks.popLast()
        } else if source.hasPrefix("{{else"), let start = blocks.last {
            column = start
        }
    }

    /// The attribute with the name of the column of this cell, and a space; empty if it has no name or names it itself.
    private mutating func nextColumn(_ source: String) -> String {
        let name = columns.indices.contains(column) ? columns[column] : ""
        column += 1
        if name.isEmpty || source.contains(" data-column=") { return "" }
        return "data-column=\"\(name.replacing("\"", with: "&quot;"))\" "
    }

    /// The start tag with more attributes.
    private func tag(_ source: String, _ attributes: String) -> String {
        "\(source.dropLast()) \(attributes)>"
    }

    private static func trimmed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
