// The refusal of everything that a blocked contributor sends.
import Localization

package enum BlockedContributor {
    package static let code = "contributor_blocked"

    package static var failure: Failure {
        .refused(code: code, message: tr("This contributor is blocked. Nothing was stored."))
    }
}
