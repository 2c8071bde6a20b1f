// The query parameters of lists.
import API

extension QueryParameter {
    static let owner = QueryParameter("owner", .text(max: 200), "Only lists of this owner, by the app's reference.")
    static let subject = QueryParameter("subject", .ids(max: 1), "Only lists about this catalog item.")
    static let sort = QueryParameter(
        "sort", .choice(ListSort.allCases.map(\.rawValue)),
        "The curator's order (`position`, the default), the newest first (`date`) or by `title`.")
    static let format = QueryParameter("format", .choice(["json", "text"]), "`text` returns the list as plain text.")
}
