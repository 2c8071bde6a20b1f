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
            for match in affected.matches(of: /c\.kind in \(([a-z_', ]+)\)/) {
                for kind in match.1.split(whereSeparator: { "', ".contains($0) }) {
                    #expect(causes.contains(String(kind)), "\(projection.name) asks about \(kind)")
                }
            }
            if affected.contains("changed_feeds(") || affected.contains("refilled_feeds(") {
                #expect(causes.contains("feed"), "\(projection.name) asks about feeds")
            }
            if affected.contains("recounted_feeds(") {
                #expect(causes.contains("count:feeds") && causes.contains("count:categories"), "\(projection.name)")
            }
            if affected.contains("repictured(") {
                #expect(causes.contains("picture"), "\(projection.name) asks about pictures")
            }
            if affected.contains("restated_categories(") || affected.contains("diverted") {
                #expect(causes.contains("category"), "\(projection.name) asks about merged categories")
            }
            if affected.contains("repictured(") {
                #expect(causes.contains("picture"), "\(projection.name) asks about pictures")
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
