// Proves that every projection names all that can affect it: a cause left out would leave a read table wrong, unseen.
import Testing

@testable import Store

@Suite("Causes")
struct CauseTests {
    @Test("A kind or fact that a projection's affected function asks about is among its causes")
    func namedKinds() {
        for projection in Projections.all {
            guard let causes = projection.causes else { continue }
            let text = String(decoding: projection.text, as: UTF8.self)
            guard let start = text.firstRange(of: "_affected(")?.lowerBound else {
                Issue.record("\(projection.name) has no affected function")
                continue
            }
            let affected = text[start...]
            for match in affected.matches(of: /c\.kind = '([a-z_]+)'/) {
                #expect(causes.contains(String(match.1)), "\(projection.name) asks about \(match.1)")
            }
            for match in affected.matches(of: /recounted\(p_publication, '([a-z]+)'\)/) {
                #expect(causes.contains("count:\(match.1)"), "\(projection.name) asks about counts of \(match.1)")
            }
            if affected.contains("_facts(p_publication") || affected.contains("catalogue_changed(") {
                #expect(causes.contains("fact"), "\(projection.name) asks about facts")
            }
            if affected.contains("setting_changed(") || affected.contains("_unsettled(") {
                #expect(causes.contains("setting"), "\(projection.name) asks about settings")
            }
        }
    }
}
