// The packs that the configuration enables.
import Domain
import Platform
import Store

extension Settings {
    /// Of the packs of this program. `vitrine dev` and the commands on its database have all, unless the configuration says
    /// otherwise. Throws `Failure.invalid` for an unknown name.
    package func enabledPacks(of all: [Pack]) throws -> PackSet {
        guard let packs else { return database.url == nil ? PackSet(all) : .none }
        if packs == ["none"] { return .none }
        let known = all.map(\.name)
        for name in packs where !known.contains(name) {
            let sentence = "There is no pack named \(name)."
            throw Failure.invalid(
                FieldErrors("packs", "choice", Suggestion.sentence(sentence, for: name, among: known)))
        }
        return PackSet(all.filter { packs.contains($0.name) })
    }
}
