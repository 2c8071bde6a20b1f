// The order in the form that reorders a feed, which is a draft until it is saved.
import Domain
import HTTP
import Localization
import Store

struct FeedOrderDraft: Sendable {
    private(set) var order: ManualOrder
    /// The version of the feed that it started from.
    var base: Int
    /// The item that the last button moved, or the first one whose position was typed.
    private(set) var moved: ID<Entry>?
    /// The items whose typed positions were refused together.
    private(set) var refused: Set<ID<Entry>> = []

    init(_ feed: RevisionRow) {
        (order, base) = (ManualOrder(of: feed.content), feed.number)
    }

    /// That of a submitted form: its order with the typed positions, then with the move of the pressed button. `byDate`
    /// contains the items of the feed by date. A move that would order more than `limit` items by hand is an error.
    init(
        _ request: AdminRequest, among byDate: [ID<Entry>], limit: Int, _ errors: inout FieldErrors
    ) throws(Failure) {
        let ids = (request.form.first("order") ?? "").split(separator: " ").map { ID<Entry>(String($0)) }
        let known = ids.compactMap(\.self)
        guard known.count == ids.count else {
            throw .invalid(FieldErrors("/order", "format", tr("Reload the page and try again.")))
        }
        order = ManualOrder(known)
        base = try request.integer("base")
        let typed = Self.typed(request, &errors)
        if !typed.isEmpty {
            move(typed, among: byDate, limit: limit, &errors)
            if moved == nil { refused = Set(typed.keys) }
        }
        if let step = request.form.first("move") { move(by: step, among: byDate, limit: limit, &errors) }
    }

    private mutating func move(
        _ indexes: [ID<Entry>: Int], among byDate: [ID<Entry>], limit: Int, _ errors: inout FieldErrors
    ) {
        let first = indexes.min { ($0.value, $0.key.description) < ($1.value, $1.key.description) }?.key
        var next = order
        next.move(indexes, among: byDate)
        guard next.items.count <= limit else {
            errors.add(
                first.map { "/position-\($0)" } ?? "/order", "too_long",
                tr("At most \(limit) items can be in manual order. Enter a smaller position, or order others by date."))
            return
        }
        (order, moved) = (next, first)
    }

    /// Carries out the value of a button: an item, and `up`, `down`, `top` or `date`.
    private mutating func move(
        by step: String, among byDate: [ID<Entry>], limit: Int, _ errors: inout FieldErrors
    ) {
        let parts = step.split(separator: " ").map(String.init)
        let all = order.all(of: byDate)
        guard parts.count == 2, let item = ID<Entry>(parts[0]), let index = all.firstIndex(of: item) else {
            errors.add("/order", "not_in_feed", tr("This item is not in the feed. Reload the page and try again."))
            return
        }
        switch parts[1] {
        case "top": move([item: 0], among: byDate, limit: limit, &errors)
        case "up": move([item: index - 1], among: byDate, limit: limit, &errors)
        case "down": move([item: index + 1], among: byDate, limit: limit, &errors)
        case "date":
            order.remove(item)
            moved = item
        default: errors.add("/order", "format", tr("Reload the page and try again."))
        }
    }

    /// The indexes of the positions that differ from those of the page.
    private static func typed(_ request: AdminRequest, _ errors: inout FieldErrors) -> [ID<Entry>: Int] {
        var indexes: [ID<Entry>: Int] = [:]
        let prefix = "position."
        for field in request.form.fields where field.name.hasPrefix(prefix) {
            let key = String(field.name.dropFirst(prefix.count))
            let number = PlainText.singleLine(field.value)
            guard number != request.form.first("shown.\(key)"), let item = ID<Entry>(key) else { continue }
            if let number = Int(number), (1...1_000_000).contains(number) {
                indexes[item] = number - 1
            } else {
                errors.add("/position-\(key)", "format", tr("Enter a whole number from 1 to 1,000,000."))
            }
        }
        return indexes
    }
}
