// What must hold across the fields of a content, which no single field can say; a content type names its rule.

package enum ContentRule: String, Sendable, CaseIterable {
    /// As many screens as the set allows.
    case onboarding
    /// One value for each language, with the placeholders that are allowed and needed.
    case text
    /// A value of the kind that the setting says, within its limits.
    case setting
    /// One name for each language.
    case names

    /// `values` are those of all fields, each already good by itself. `positions` gives where the rows of a list stand in
    /// what was sent, for the pointers of messages.
    func check(_ values: [String: JSONValue], positions: (String) -> [Int]) -> FieldErrors {
        switch self {
        case .onboarding: OnboardingRule.check(values)
        case .text: TextRule.check(values, positions: positions)
        case .setting: SettingRule.check(values)
        case .names: TextRule.refuseTwice(locales: "names", values, positions: positions)
        }
    }
}
