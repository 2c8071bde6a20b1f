// Rows B16, K10, C25: an onboarding set has 2 to 5 screens (both inclusive), or what the set itself says.

enum OnboardingRule {
    static func check(_ values: [String: JSONValue]) -> FieldErrors {
        var errors = FieldErrors()
        let least = values["min_screens"]?.integerValue ?? 2
        let most = values["max_screens"]?.integerValue ?? 5
        if least > most {
            errors.add(
                "/fields/min_screens", "too_large", "Fewest screens: \(least) is more than the most, which is \(most).")
        }
        let count = Int64(values["screens"]?.arrayValue?.count ?? 0)
        if count < least {
            errors.add("/fields/screens", "too_short", "Screens: \(count) given; at least \(least) are needed.")
        }
        if count > most {
            errors.add("/fields/screens", "too_long", "Screens: \(count) given; at most \(most) are allowed.")
        }
        return errors
    }
}
