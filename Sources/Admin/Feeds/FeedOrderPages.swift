// Reorders a manually ordered feed: the order stays in the form until it is saved, as a version of the feed.
import Domain
import HTTP
import Localization
import Operations
import Store

enum FeedOrderPages {
    private static let pageSize = 50

    /// A feed as its newest version has it.
    private struct Feed {
        let entry: EntryRow
        let newest: RevisionRow
        let pins: [ID<Entry>]
        /// The published items below the pinned ones, by date.
        let byDate: [ID<Entry>]
        /// The most items that can be ordered by hand.
        let limit: Int
        let isManual: Bool

        init(_ request: AdminRequest) async throws {
            let (entry, newest) = try await EntryPages.find(request)
            guard entry.kind == .feed else { throw Failure.missing("feed") }
            let limit = try request.context.rules.type(named: entry.type).field(ManualOrder.field)?.maxCount ?? 0
            let isManual = limit > 0 && newest.content.fields["order"] == "ranked"
            let pins = (newest.content.fields["pins"]?.arrayValue ?? []).compactMap {
                $0.stringValue.flatMap { ID<Entry>($0) }
            }
            let members = isManual ? try await request.database.feedOrders.byDate(in: entry.id) : []
            let pinned = Set(pins)
            byDate = members.filter { !pinned.contains($0) }
            (self.entry, self.newest, self.pins, self.limit, self.isManual) = (entry, newest, pins, limit, isManual)
        }
    }

    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let thumbnail: ThumbnailView?
        let type: String
        /// From 1, below the pinned items.
        let position: Int
        let typedPosition: String
        let isManual: Bool
        /// Why readers don't see it at this position; nil if they do.
        let note: String?
        let isFirst: Bool
        let isLast: Bool
        let isMoved: Bool
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
        /// The newest version of the feed, if it is not published.
        let unpublished: Int?
        /// The order of the form, as it sends it back, and the version that it started from.
        let order: String
        let base: Int
        let isChanged: Bool
        /// What happened to the item that moved last.
        let outcome: String?
        let pinned: [Pinned]
        let lines: [Line]
        let total: Int
        let limit: Int
        /// The number of items before this page, and its first and last position.
        let first: Int
        let at: Int
        let last: Int
        let isLong: Bool
        let previous: Int?
        let next: Int?
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        let feed = try await Feed(request)
        return try await page(request, feed, FeedOrderDraft(feed.newest))
    }

    /// Carries out a button of the form. All but one show the page again, with the new order.
    static func order(_ request: AdminRequest) async throws -> Response {
        let feed = try await Feed(request)
        guard feed.entry.live != nil, feed.isManual else {
            let message = tr("This feed is sorted by newest first. Change its order to manual before moving items.")
            return try await page(
                request, feed, FeedOrderDraft(feed.newest), FieldErrors("/order", "not_by_hand", message))
        }
        var errors = FieldErrors()
        let draft = try FeedOrderDraft(request, among: feed.byDate, limit: feed.limit, &errors)
        if !errors.isEmpty || request.form.first("action") != "save" {
            return try await page(request, feed, draft, errors)
        }
        if draft.base != feed.newest.number { return try await stale(request, feed, draft) }
        return try await request.submit(
            at: "/order",
            orShow: { request, errors in
                let messages = errors.items.map(\.message).joined(separator: " ")
                return try await page(
                    request, feed, draft, FieldErrors("/order", errors.items.first?.code ?? "", messages))
            },
            {
                do {
                    return try await save(draft, of: feed, request)
                } catch Failure.conflict("stale", _) {
                    return try await stale(request, try await Feed(request), draft)
                }
            })
    }

    private static func save(
        _ draft: FeedOrderDraft, of feed: Feed, _ request: AdminRequest
    ) async throws -> Response {
        if draft.order == ManualOrder(of: feed.newest.content), feed.newest.isLive {
            throw Failure.refused(code: "unchanged", message: tr("The order hasn't changed."))
        }
        var fields = try feed.newest.stored.readable()
        fields[ManualOrder.field] = draft.order.value
        let timing = try CategoryTiming.read(request).orDraft(for: request.actor)
        let outcome = try await request.services.writeEntry.edit(
            feed.entry.id, fields: fields, base: draft.base, publishTiming: timing, by: request.actor)
        return request.redirect(
            to: AdminURL.feedOrder(feed.entry.id, query: ["when": request.text("when"), "at": request.text("at")]),
            Flash(outcome, timing))
    }

    /// Somebody saved the feed since the form was opened: the order stays in the form, now on top of their version.
    private static func stale(
        _ request: AdminRequest, _ feed: Feed, _ draft: FeedOrderDraft
    ) async throws -> Response {
        var draft = draft
        draft.base = feed.newest.number
        let author = ActorName.shown(feed.newest.author)
        let message = tr(
            """
            \(author) saved version \(feed.newest.number) of this feed meanwhile. Your order was not saved. If \
            you save it again, it replaces theirs; the history keeps both.
            """)
        return try await page(request, feed, draft, FieldErrors("/order", "stale", message))
    }

    /// `errors` have the pointers `/order` and `/position-ID`, the ids of the controls.
    private static func page(
        _ request: AdminRequest, _ feed: Feed, _ draft: FeedOrderDraft, _ errors: FieldErrors = FieldErrors()
    ) async throws -> Response {
        let all = draft.order.all(of: feed.byDate)
        let moved = draft.moved.flatMap { all.firstIndex(of: $0) }
        let first = start(of: request, showing: moved, total: all.count)
        let shown = all[first...].prefix(pageSize)
        let pins = first == 0 ? feed.pins : []
        let found = try await request.database.entries.matches(pins + shown, onlyLive: false)
        let entries = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        let images = try await request.thumbnails(of: pins + shown)
        let last = first + shown.count
        let present = Set(feed.byDate)
        func title(_ item: ID<Entry>) -> String { EntryPages.shown(entries[item]?.title ?? "") }
        let model = Order(
            id: feed.entry.id, title: EntryPages.shown(feed.entry.title),
            timing: try await CategoryTiming(request, on: feed.entry.type), problem: ErrorSummary(errors),
            isLive: feed.entry.live != nil, isManual: feed.isManual,
            mayOrder: request.actor.may(.suggest, on: feed.entry.type),
            unpublished: feed.newest.isLive ? nil : feed.newest.number,
            order: draft.order.items.map(\.description).joined(separator: " "), base: draft.base,
            isChanged: draft.order != ManualOrder(of: feed.newest.content),
            outcome: moved.map { index in
                let name = title(all[index])
                return tr("\(name): position \(index + 1) of \(all.count).")
            },
            pinned: pins.map { Pinned(id: $0, title: title($0), thumbnail: images[$0]) },
            lines: zip(shown.indices, shown).map { index, item in
                Line(
                    id: item, title: title(item), thumbnail: images[item],
                    type: request.context.rules.types[entries[item]?.type ?? ""]?.label ?? "", position: index + 1,
                    typedPosition: draft.refused.contains(item) || !errors.messages(at: "/position-\(item)").isEmpty
                        ? request.form.first("position.\(item)") ?? "" : String(index + 1),
                    isManual: index < draft.order.items.count,
                    note: present.contains(item) ? nil : absence(of: item, in: feed),
                    isFirst: index == 0, isLast: index + 1 == all.count, isMoved: index == moved,
                    problems: errors.messages(at: "/position-\(item)"))
            },
            total: all.count, limit: feed.limit, first: first, at: first + 1, last: last,
            isLong: all.count > pageSize,
            previous: first > 0 ? max(first - pageSize, 0) + 1 : nil, next: last < all.count ? last + 1 : nil)
        return try request.page(
            "admin/feeds/order", model, title: tr("Order of \(model.title)"), status: errors.status)
    }

    private static func absence(of item: ID<Entry>, in feed: Feed) -> String {
        feed.pins.contains(item) ? tr("Pinned", context: "item") : tr("Not in this feed")
    }

    /// The start of the page: at the requested position, else where the form was; `moved` is always shown.
    private static func start(of request: AdminRequest, showing moved: Int? = nil, total: Int) -> Int {
        let requested = request.form.first("action") == "go" ? request.text("go") : request.text("page")
        let number = (requested ?? request.text("at")).flatMap { Int($0) } ?? 1
        let start = min(max(number - 1, 0), max(total - 1, 0))
        guard let moved, !(start..<start + pageSize).contains(moved) else { return start }
        return moved / pageSize * pageSize
    }
}
