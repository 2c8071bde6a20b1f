// The syndication formats.
import Markup

enum SyndicationFormat: String, CaseIterable, Sendable {
    case rss, atom, json

    var type: String {
        switch self {
        case .rss: "application/rss+xml; charset=utf-8"
        case .atom: "application/atom+xml; charset=utf-8"
        case .json: "application/feed+json"
        }
    }

    func bytes(_ feed: SyndicatedFeed) -> [UInt8] {
        switch self {
        case .rss: feed.rss
        case .atom: feed.atom
        case .json: Array(feed.json.canonicalText.utf8)
        }
    }
}
