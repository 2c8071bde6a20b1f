// A filter that is set, with the list without it.
import Localization

struct FilterChip: Encodable, Sendable {
    /// Such as "Type: Article".
    let label: String
    let url: String

    init(_ name: String, _ value: String, without url: String) {
        label = tr("\(name): \(value)", context: "filter")
        self.url = url
    }

    /// Nil if the menu filters nothing.
    init?(_ name: String, _ menu: [Option], without url: String) {
        guard let option = menu.first(where: { $0.isChosen && !$0.value.isEmpty }) else { return nil }
        self.init(name, option.label, without: url)
    }
}
