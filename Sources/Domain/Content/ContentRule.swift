// Validation rules across several fields of content; a content type names its rule.

package enum ContentRule: String, Sendable, CaseIterable {
    /// The number of screens is within the limits of the set.
    case onboarding
    /// One value per language, with allowed and required placeholders.
    case text
    /// A value of the setting's kind, within its limits.
    case setting
    /// One name per language.
    case names

    /// Checks and cleans the values of all fields, each of which is valid by itself. `positions` returns the positions of rows in
    /// the input, for the pointers of messages.
    func check(
        _ values: inout [String: JSONValue], _ cleaning: FieldCleaning, positions: (String) -> [Int]
    ) -> (errors: FieldErrors, warnings: FieldErrors) {
        switch self {
        case .onboarding: return (OnboardingRule.check(values), FieldErrors())
        case .text:
            var (errors, warnings) = TextRule.checkMarkdown(&values, cleaning, positions: positions)
            errors.add(TextRule.check(values, positions: positions))
            return (errors, warnings)
        case .setting: return (SettingRule.check(values), FieldErrors())
        case .names:
            return (TextRule.refuseDuplicates(locales: "names", values, positions: positions), FieldErrors())
        }
    }
}
