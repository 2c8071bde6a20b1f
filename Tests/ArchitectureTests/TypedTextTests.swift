// Checks that a form keeps what takes time to type: on the server for people with an account, otherwise in the tab.
import Testing

@Suite("Text that is typed into forms")
struct TypedTextTests {
    /// Templates with a form whose text area nobody types into.
    private static let reasons = ["packs/places/import/plan": "it carries the file that was read, hidden"]

    /// The templates by name, such as `admin/queue/list`.
    private static let templates = Dictionary(
        uniqueKeysWithValues: SourceFile.files(in: "Templates").filter { $0.path.hasSuffix(".html") }.map { file in
            (String(file.path.dropFirst("Templates/".count).dropLast(".html".count)), file.text)
        })

    /// The source with its partials in their places.
    private static func expanded(_ text: String, within outer: [String] = []) -> String {
        var result = ""
        var rest = text[...]
        while let include = rest.firstMatch(of: /\{\{> ([a-z\/-]+)[^}]*\}\}/) {
            let name = String(include.1)
            result += rest[..<include.range.lowerBound]
            if !outer.contains(name) { result += expanded(templates[name] ?? "", within: outer + [name]) }
            rest = rest[include.range.upperBound...]
        }
        return result + rest
    }

    /// The forms that are posted.
    private static func forms(in text: String) -> [Substring] {
        var forms: [Substring] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "<form"), let end = rest[start.upperBound...].firstRange(of: "</form>") {
            let form = rest[start.lowerBound..<end.upperBound]
            if form.contains(#"method="post""#) { forms.append(form) }
            rest = rest[end.upperBound...]
        }
        return forms
    }

    @Test("Every form with a text area keeps what is typed; no form with a secret does")
    func forms() {
        var (kept, lost, unneeded) = (0, Set<String>(), Set(Self.reasons.keys))
        for (name, text) in Self.templates {
            for form in Self.forms(in: Self.expanded(text)) {
                if form.contains(#"name="autosave""#) || form.contains("data-tab-draft=") {
                    kept += 1
                    let hasSecret = form.contains("password") || form.contains("one-time-code")
                    #expect(!hasSecret, "\(name) keeps a form with a secret")
                } else if form.contains("<textarea") {
                    unneeded.remove(name)
                    if Self.reasons[name] == nil { lost.insert(name) }
                }
            }
        }
        #expect(kept > 15)
        #expect(lost.isEmpty, "Add partial/autosave (AdminRequest.autosaving) or a reason: \(lost.sorted())")
        #expect(unneeded.isEmpty, "\(unneeded.sorted())")
    }
}
