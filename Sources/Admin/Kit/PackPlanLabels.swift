// What a pack adds to the labels of plans: what people call the rows and columns of its read tables.
import Localization
import Store

package struct PackPlanLabels: PackPart {
    /// Labels by the name of a table or column, in the language of the task.
    package typealias Labels = @Sendable () -> [String: String]

    /// By table: what a row is that is not an entry itself.
    let subjects: Labels
    /// By column. Others are labeled by their names.
    let columns: Labels
    /// The columns that only the program reads, such as those of an order.
    let technical: Set<String>
    /// The columns with the ID of the entry that a row is about.
    let owners: [String]
    /// The columns that follow the title of that entry.
    let details: [String]
    /// The endings of tables that have the rest of the rows of another table.
    let endings: [String]

    package init(
        subjects: @escaping Labels = { [:] }, columns: @escaping Labels = { [:] }, technical: Set<String> = [],
        owners: [String] = [], details: [String] = [], endings: [String] = []
    ) {
        self.subjects = subjects
        self.columns = columns
        self.technical = technical
        self.owners = owners
        self.details = details
        self.endings = endings
    }

    /// Those of the core.
    static let core = PackPlanLabels(
        subjects: {
            [
                "feed_item": tr("Entry in a feed"), "onboarding_screen": tr("Onboarding screen"),
                "redirect": tr("Redirect", context: "plan"),
            ]
        },
        columns: {
            [
                "access": tr("Access", context: "plan"), "categories": tr("Categories", context: "plan"),
                "feeds": tr("Feeds", context: "plan"), "item_count": tr("Published items"),
                "locale": tr("Language", context: "plan"), "name": tr("Title", context: "plan"),
                "published_at": tr("Publication date"), "title": tr("Title", context: "plan"),
            ]
        },
        technical: [
            "age", "category_ids", "city_id", "coordinates", "document", "feed_id", "feed_ids", "group_id", "html",
            "id", "item_id", "kind", "paths", "rank", "revision", "set_id", "set_version", "sha256", "terms", "type",
            "updated_at", "version",
        ],
        owners: ["item_id", "set_id"], details: ["feed_id"], endings: ["_full"])
}
