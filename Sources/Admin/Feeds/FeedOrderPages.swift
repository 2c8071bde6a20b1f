// Reorders a manually ordered feed, page by page.
import Domain
import Editorial
import HTTP
import Localization
import Publishing
import Store

enum FeedOrderPages {
    private static let pageSize = 50

    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let thumbnail: ThumbnailView?
        let type: String
        /// From 1, below the pinned items.
        let position: Int
        let typedPosition: String
        let rank: Int64?
        /// The rank as sent by forms.
        let previousRank: String
        /// The values of the buttons: the item, its rank and its new index from 0; nil where it can't move that way.
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
        let thumbnail: ThumbnailView?
    }

    private struct Order: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let timing: CategoryTiming
        let problem: ErrorSummary?
        let isLive: Bool
        let isManual: Bool
        let mayOrder: Bool
        let pinned: [Pinned]
        let lines: [Line]
        let total: Int
        /// The number of items before this page, and its first and last position.
        let first: Int
        let at: Int
        let last: Int
        let isLong: Bool
        let previous: Int?
        let next: ID<Entry>?
    }

    /// `errors` have the pointers `/position-ID`, the ids of the controls.
    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let id: ID<Entry> = try request.id()
        guard let feed = try await request.database.entries.find(id), feed.kind == .feed else {
            throw Failure.missing("feed")
        }
        let live = try await request.database.revisions.live(of: id)
        let isManual = live?.content.fields["order"] == "ranked"
        let positions = isManual ? try await request.database.feedOrders.positions(in: id) : []
        let movable = positions.filter { !$0.isPinned }
        let first = start(of: request, in: movable)
        let shown = movable[first...].prefix(pageSize)
        let pinned = first == 0 ? positions.filter(\.isPinned) : []
        let names = try await request.database.feedOrders.names(of: (pinned + shown).map(\.item), besides: id)
        let images = try await request.thumbnails(of: (pinned + shown).map(\.item))
        let last = first + shown.count
        let model = Order(
            id: id, title: EntryPages.shown(feed.title), timing: try await CategoryTiming(request),
            problem: ErrorSummary(errors), isLive: live != nil, isManual: isManual,
            mayOrder: request.actor.may(.suggest, on: "feed"),
            pinned: pinned.map {
                Pinned(
                    id: $0.item, title: EntryPages.shown(names[$0.item]?.title ?? ""), thumbnail: images[$0.item])
            },
            lines: zip(shown.indices, shown).map {
                line($1, at: $0, of: movable.count, names[$1.item], images[$1.item], request, errors)
            },
            total: movable.count, first: first, at: first + 1, last: last, isLong: movable.count > pageSize,
            previous: first > 0 ? max(first - pageSize, 0) + 1 : nil,
            next: last < movable.count ? shown.last?.item : nil)
        return try request.page(
            "admin/feeds/order", model, title: tr("Order of \(model.title)"),
            status: errors.status)
    }

    /// The start of the page: after the item `after`, else at the position `at`, else at the beginning.
    private static func start(of request: AdminRequest, in positions: [FeedPosition]) -> Int {
        if let after = request.text("after").flatMap({ ID<Entry>($0) }),
            let index = positions.firstIndex(where: { $0.item == after }), index + 1 < positions.count
        {
            return index + 1
        }
        guard let number = request.text("at").flatMap({ Int($0) }), !positions.isEmpty else { return 0 }
        return min(max(number - 1, 0), positions.count - 1)
    }

    private static func line(
        _ row: FeedPosition, at index: Int, of count: Int, _ names: FeedItemNames?, _ image: ThumbnailView?,
        _ request: AdminRequest, _ errors: FieldErrors
    ) -> Line {
        let previousRank = row.rank.map(String.init) ?? "-"
        func step(to target: Int) -> String? {
            (0..<count).contains(target) ? "\(row.item) \(previousRank) \(target)" : nil
        }
        let others = names?.otherFeeds ?? []
        return Line(
            id: row.item, title: EntryPages.shown(names?.title ?? ""), thumbnail: image,
            type: request.context.rules.types[names?.type ?? ""]?.label ?? "", position: index + 1,
            typedPosition: request.form.first("position.\(row.item)") ?? String(index + 1), rank: row.rank,
            previousRank: previousRank,
            top: index > 0 ? step(to: 0) : nil, up: step(to: index - 1), down: step(to: index + 1),
            isChanged: row.isChanged, otherFeeds: others.isEmpty ? nil : others.joined(separator: ", "),
            problems: errors.messages(at: "/position-\(row.item)"))
    }

    static func order(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        var errors = FieldErrors()
        let moves = request.form.first("move").map { [move($0)] } ?? typed(request, &errors)
        if !errors.isEmpty { return try await show(request, errors: errors) }
        let requested = moves.compactMap(\.self)
        guard requested.count == moves.count else {
            throw Failure.invalid(FieldErrors("/move", "format", tr("Choose an item and a position.")))
        }
        let pointer = requested.first.map { "/position-\($0.item)" } ?? "/order"
        return try await request.submit(at: pointer, orShow: show) {
            do {
                let outcome = try await request.services.reorderFeed(
                    requested, in: id, try CategoryTiming.read(request), by: request.actor)
                return try await done(outcome, requested, in: id, request)
            } catch Failure.stale(let values) {
                var errors = FieldErrors()
                for value in values {
                    errors.add(
                        "/position-\(value.key)", "stale",
                        tr("\(value.author) moved \(value.label) meanwhile. Your move was not saved."))
                }
                throw Failure.invalid(errors)
            }
        }
    }

    /// Parses a move sent by a button, a key or dragging: the id, the previous rank and the new index.
    private static func move(_ text: String) -> ReorderFeed.Move? {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 3, let id = ID<Entry>(parts[0]), parts[1] == "-" || Int64(parts[1]) != nil,
            let index = Int(parts[2])
        else { return nil }
        return ReorderFeed.Move(item: id, previousRank: Int64(parts[1]), index: index)
    }

    /// The edited positions: the ones that differ from the rendered page.
    private static func typed(_ request: AdminRequest, _ errors: inout FieldErrors) -> [ReorderFeed.Move?] {
        var moves: [ReorderFeed.Move?] = []
        let prefix = "position."
        for field in request.form.fields where field.name.hasPrefix(prefix) {
            let key = String(field.name.dropFirst(prefix.count))
            let number = PlainText.singleLine(field.value)
            if number == request.form.first("shown.\(key)") { continue }
            if let number = Int(number), (1...1_000_000).contains(number) {
                moves.append(move("\(key) \(request.form.first("was.\(key)") ?? "") \(number - 1)"))
            } else {
                errors.add("/position-\(key)", "format", tr("Enter a whole number from 1 to 1,000,000."))
            }
        }
        return moves
    }

    /// Redirects to the page with the first moved item.
    private static func done(
        _ outcome: ChangeOutcome, _ moves: [ReorderFeed.Move], in feed: ID<Entry>, _ request: AdminRequest
    ) async throws -> Response {
        let positions = try await request.database.feedOrders.positions(in: feed).filter { !$0.isPinned }
        let index = moves.first.flatMap { move in positions.firstIndex { $0.item == move.item } } ?? 0
        var start = request.text("at").flatMap { Int($0) } ?? 1
        if !(start..<start + pageSize).contains(index + 1) { start = index / pageSize * pageSize + 1 }
        let row = moves.first.map { "#row-\($0.item)" } ?? ""
        let names = try await request.database.feedOrders.names(of: moves.prefix(1).map(\.item), besides: feed)
        let title = moves.first.flatMap { names[$0.item]?.title } ?? ""
        let label =
            moves.count == 1
            ? tr("\(title): position \(index + 1) of \(positions.count)") : tr("\(moves.count) items moved")
        return request.redirect(
            to: AdminURL.feedOrder(feed, query: ["when": request.text("when"), "at": start]) + row,
            Flash(message(outcome, label)))
    }

    /// An item with unpublished changes keeps its published position until these are published.
    private static func message(_ outcome: ChangeOutcome, _ label: String) -> String {
        let message = outcome.message(published: label, pending: label)
        guard outcome.publication != nil, outcome.drafts > 0 else { return message }
        return tr("\(message) Saved as drafts because of unpublished changes: \(outcome.drafts).")
    }
}
