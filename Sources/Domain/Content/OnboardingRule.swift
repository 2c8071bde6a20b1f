// Rows B16, K10, C25: an onboarding set has 2 to 5 screens (inclusive) unless the set defines other limits.
import Localization

enum OnboardingRule {
    static func check(_ values: [String: JSONValue]) -> FieldErrors {
        var errors = FieldErrors()
        let least = values["min_screens"]?.integerValue ?? 2
        let most = values["max_screens"]?.integerValue ?? 5
        if least > most {
            errors.add(
                "/fields/min_screens", "too_large", tr("Minimum screens: \(least) is more than the maximum of \(most).")
            )
        }
        let count = Int64(values["screens"]?.arrayValue?.count ?? 0)
        if count < least {
            errors.add("/fields/screens", "too_short", tr("Screens: \(count) given; at least \(least) are required."))
        }
        if count > most {
            errors.add("/fields/screens", "too_long", tr("Screens: \(count) given; at most \(most) are allowed."))
        }
        return errors
    }
}
