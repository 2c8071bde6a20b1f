// How pages name who did something: people and apps by their names, and the program's own actors by words.
import Localization

package enum ActorName {
    /// The name of a row of `ops.actor` in the language of the task. Commands, exports and the API keep the names of the rows.
    package static func shown(_ name: String) -> String {
        switch name {
        case "system": "Vitrine"
        case "operator": tr("Command line", context: "actor")
        case "contributor": tr("Contributor", context: "actor")
        case "schedule": tr("Schedule", context: "actor")
        case "import": tr("Import", context: "actor")
        case "visitor": tr("Visitor", context: "actor")
        default: name
        }
    }

    /// The same for several names, separated by commas.
    static func list(_ names: String) -> String {
        names.split(separator: ", ").map { shown(String($0)) }.joined(separator: ", ")
    }
}
