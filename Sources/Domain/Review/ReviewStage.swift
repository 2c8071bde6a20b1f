// One stage of a review: who has to agree, and how many of them.

package struct ReviewStage: Sendable, Equatable {
    /// Such as "Editors"; 1 to 60 characters.
    package let name: String
    /// Whoever has at least this role.
    package let role: Role
    /// 1 to 9.
    package let needed: Int

    package static let most = 4

    package init(name: String, role: Role, needed: Int) {
        (self.name, self.role, self.needed) = (name, role, needed)
    }

    /// Every message at once, at pointers such as `/stages/0/name`.
    package static func check(_ stages: [ReviewStage]) throws(Failure) {
        var errors = FieldErrors()
        if stages.count > most { errors.add("/stages", "too_many", "At most \(most) stages.") }
        for (index, stage) in stages.enumerated() {
            let length = stage.name.unicodeScalars.count
            if stage.name != PlainText.singleLine(stage.name) || !(1...60).contains(length) {
                errors.add("/stages/\(index)/name", "required", "Give stage \(index + 1) a name of 1 to 60 characters.")
            }
            if !(1...9).contains(stage.needed) {
                errors.add("/stages/\(index)/needed", "range", "Stage \(index + 1): from 1 to 9 have to agree.")
            }
        }
        try errors.throwIfAny()
    }
}

/// What a plan of stages is for.
package enum ReviewScope: Sendable, Hashable {
    case type(String)
    case group(ID<Entry>)
}
