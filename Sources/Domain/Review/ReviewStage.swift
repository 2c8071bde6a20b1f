// A stage of a review: the required role and number of approvals.
import Localization

package struct ReviewStage: Sendable, Equatable {
    /// Such as "Editors"; 1 to 60 characters.
    package let name: String
    /// Approvers have all its permissions.
    package let role: Role
    /// The required approvals, 1 to 9.
    package let requiredApprovals: Int

    package static let maxCount = 4

    package init(name: String, role: Role, requiredApprovals: Int) {
        (self.name, self.role, self.requiredApprovals) = (name, role, requiredApprovals)
    }

    /// Throws `Failure.invalid` with all errors at once, at pointers such as `/stages/0/name`.
    package static func check(_ stages: [ReviewStage]) throws(Failure) {
        var errors = FieldErrors()
        if stages.count > maxCount { errors.add("/stages", "too_many", tr("Add at most \(maxCount) stages.")) }
        for (index, stage) in stages.enumerated() {
            let length = stage.name.unicodeScalars.count
            if stage.name != PlainText.singleLine(stage.name) || !(1...60).contains(length) {
                errors.add(
                    "/stages/\(index)/name", "required", tr("Give stage \(index + 1) a name of 1 to 60 characters."))
            }
            if !(1...9).contains(stage.requiredApprovals) {
                errors.add(
                    "/stages/\(index)/required_approvals", "range", tr("Stage \(index + 1): require 1 to 9 approvals."))
            }
        }
        try errors.throwIfAny()
    }
}

/// What the stages apply to: a content type or a category group.
package enum ReviewScope: Sendable, Hashable {
    case type(String)
    case group(ID<Entry>)

    package var isGroup: Bool { if case .group = self { true } else { false } }
}
