// The order of a feed by hand: its items with their places, and what moves them; a page of the order at a time.
import Domain
import Editorial
import HTTP
import Store

enum FeedOrderPages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/feeds/{id}/order", access: .may(.readQueue)) { try await show($0) },
        AdminEndpoint(method: "POST", pattern: "/feeds/{id}/order", access: .may(.suggest), handler: order),
    ]

    private static let pageSize = 50

    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let type: String
        /// From 1 on, below the pins.
        let number: Int
        let typedNumber: String
        let rank: Int64?
        /// The rank as forms carry it.
        let was: String
        /// What the buttons send: the item, the rank it has, and its new place from 0 on; nil where there is none.
        let top: String?
        let up: String?
        let down: String?
        let isChanged: Bool
        let otherFeeds: String?
        let problems: [String]
    }

    private struct Pinned: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
    }

    private struct Order: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let timing: CategoryTiming
        let problem: ErrorSummary?
        let isLive: Bool
        let isByHand: Bool
        let mayOrder: Bool
        let pinned: [Pinned]
        let lines: [Line]
        let total: Int
        /// How many stand before this page; its first and its last number.
        let first: Int
        let at: Int
        let last: Int
        let isLong: Bool
        let previous: Int?
        let next: ID<Entry>?
    }

    /// `errors` are at `/number-ID`: the ids of the controls.
    private static func show(
        _ request: AdminRequest, errors: FieldErrors = FieldErrors(), status: Int = 422
    ) async throws -> Response {
        let id: ID<Entry> = try request.id()
        guard let feed = try await request.database.entries.find(id), feed.kind == .feed else {
            throw Failure.missing("feed")
        }
        let live = try await request.database.revisions.live(of: id)
        let isByHand = live?.content.fields["order"] == "ranked"
        let places = isByHand ? try await request.database.feedOrders.places(in: id) : []
        let movable = places.filter { !$0.isPinned }
        let first = start(of: request, in: movable)
        let shown = movable[first...].prefix(pageSize)
        let pinned = first == 0 ? places.filter(\.isPinned) : []
        let names = try await request.database.feedOrders.names(of: (pinned + shown).map(\.item), besides: id)
        let last = first + shown.count
        let model = Order(
            id: id, title: EntryPages.shown(feed.title), timing: try await CategoryTiming(request),
            problem: ErrorSummary(errors), isLive: live != nil, isByHand: isByHand,
            mayOrder: request.actor.may(.suggest, on: "feed"),
            pinned: pinned.map { Pinned(id: $0.item, title: EntryPages.shown(names[$0.item]?.title ?? "")) },
            lines: zip(shown.indices, shown).map {
                line($1, at: $0, of: movable.count, names[$1.item], request, errors)
            },
            total: movable.count, first: first, at: first + 1, last: last, isLong: movable.count > pageSize,
            previous: first > 0 ? max(first - pageSize, 0) + 1 : nil,
            next: last < movable.count ? shown.last?.item : nil)
        return try request.page(
            "admin/feeds/order", model, title: (errors.isEmpty ? "" : "Error: ") + "Order of \(model.title)",
            status: errors.isEmpty ? 200 : status)
    }

    /// Where the page begins: behind the item `after`, else with the place `at`, else at the beginning.
    private static func start(of request: AdminRequest, in places: [FeedPosition]) -> Int {
        if let after = request.text("after").flatMap({ ID<Entry>($0) }),
            let index = places.firstIndex(where: { $0.item == after }), index + 1 < places.count
        {
            return index + 1
        }
        guard let number = request.text("at").flatMap({ Int($0) }), !places.isEmpty else { return 0 }
        return min(max(number - 1, 0), places.count - 1)
    }

    private static func line(
        _ place: FeedPosition, at index: Int, of count: Int, _ names: FeedItemNames?, _ request: AdminRequest,
        _ errors: FieldErrors
    ) -> Line {
        let was = place.rank.map(String.init) ?? "-"
        func step(to target: Int) -> String? {
            (0..<count).contains(target) ? "\(place.item) \(was) \(target)" : nil
        }
        let others = names?.otherFeeds ?? []
        return Line(
            id: place.item, title: EntryPages.shown(names?.title ?? ""),
            type: request.context.rules.types[names?.type ?? ""]?.label ?? "", number: index + 1,
            typedNumber: request.form.first("number.\(place.item)") ?? String(index + 1), rank: place.rank, was: was,
            top: index > 0 ? step(to: 0) : nil, up: step(to: index - 1), down: step(to: index + 1),
            isChanged: place.isChanged, otherFeeds: others.isEmpty ? nil : others.joined(separator: ", "),
            problems: errors.messages(at: "/number-\(place.item)"))
    }

    private static func order(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        var errors = FieldErrors()
        let moves = request.form.first("move").map { [move($0)] } ?? typed(request, &errors)
        if !errors.isEmpty { return try await show(request, errors: errors) }
        let asked = moves.compactMap(\.self)
        guard asked.count == moves.count else {
            throw Failure.invalid(FieldErrors("/move", "format", "Which item is to stand where is not said."))
        }
        let pointer = asked.first.map { "/number-\($0.item)" } ?? "/order"
        do {
            let outcome = try await OrderFeed(database: request.database, rules: request.context.rules)(
                asked, in: id, CategoryTiming.read(request), by: request.actor)
            return try await done(outcome, asked, in: id, request)
        } catch Failure.stale(let values) {
            for value in values {
                errors.add(
                    "/number-\(value.key)", "stale",
                    "\(value.author) has moved \(value.label) meanwhile. This is the order now; nothing of yours was done."
                )
            }
            return try await show(request, errors: errors, status: 409)
        } catch Failure.refused(let code, let message) {
            return try await show(request, errors: FieldErrors(pointer, code, message))
        }
    }

    /// What the buttons, the keys and dragging send: `id was number`.
    private static func move(_ text: String) -> OrderFeed.Move? {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 3, let id = ID<Entry>(parts[0]), parts[1] == "-" || Int64(parts[1]) != nil,
            let index = Int(parts[2])
        else { return nil }
        return OrderFeed.Move(item: id, was: Int64(parts[1]), index: index)
    }

    /// The numbers that were written: those that differ from what was shown.
    private static func typed(_ request: AdminRequest, _ errors: inout FieldErrors) -> [OrderFeed.Move?] {
        var moves: [OrderFeed.Move?] = []
        let prefix = "number."
        for field in request.form.fields where field.name.hasPrefix(prefix) {
            let key = String(field.name.dropFirst(prefix.count))
            let number = PlainText.singleLine(field.value)
            if number == request.form.first("shown.\(key)") { continue }
            if let number = Int(number), (1...1_000_000).contains(number) {
                moves.append(move("\(key) \(request.form.first("was.\(key)") ?? "") \(number - 1)"))
            } else {
                errors.add("/number-\(key)", "format", "A place is a whole number from 1 to 1000000.")
            }
        }
        return moves
    }

    /// Back to the page of the order where the first that moved stands now.
    private static func done(
        _ outcome: EditOutcome, _ moves: [OrderFeed.Move], in feed: ID<Entry>, _ request: AdminRequest
    ) async throws -> Response {
        let places = try await request.database.feedOrders.places(in: feed).filter { !$0.isPinned }
        let index = moves.first.flatMap { move in places.firstIndex { $0.item == move.item } } ?? 0
        var start = request.text("at").flatMap { Int($0) } ?? 1
        if !(start..<start + pageSize).contains(index + 1) { start = index / pageSize * pageSize + 1 }
        var query = [FormFields.Field(name: "at", value: String(start))]
        if let when = request.text("when") { query.insert(FormFields.Field(name: "when", value: when), at: 0) }
        let row = moves.first.map { "#row-\($0.item)" } ?? ""
        let names = try await request.database.feedOrders.names(of: moves.prefix(1).map(\.item), besides: feed)
        let title = moves.first.flatMap { names[$0.item]?.title } ?? ""
        let words =
            moves.count == 1
            ? "\(title): place \(index + 1) of \(places.count)" : "\(moves.count) items have another place"
        return request.redirect(
            to: "/feeds/\(feed)/order?\(FormFields(query).urlEncoded)\(row)",
            Flash(sentence(outcome, words)))
    }

    /// Where some of them have changes that wait, their place waits with these.
    private static func sentence(_ outcome: EditOutcome, _ words: String) -> String {
        let said = CategoryFlash.sentence(outcome, done: words, waits: words)
        guard outcome.publication != nil, outcome.drafts > 0 else { return said }
        return "\(said) \(outcome.drafts) of them had changes that wait; the new place waits with these."
    }
}
