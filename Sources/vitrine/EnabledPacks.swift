// The packs that the configuration enables.
import Domain
import Packs
import Platform
import Store

enum EnabledPacks {
    /// The names of the packs whose commands are there: all if the configuration can't be read, which the command reports.
    static func ofCommandLine(_ environment: [String: String]) -> [String] {
        let packs = try? Settings.load(flags: [:], environment: environment).enabledPacks()
        return packs?.names ?? Packs.all.map(\.name)
    }
}

extension Settings {
    /// `vitrine dev` and the commands on its database have all packs, unless the configuration says otherwise. Throws
    /// `Failure.invalid` for an unknown name.
    func enabledPacks() throws -> StorePacks {
        guard let packs else { return database.url == nil ? StorePacks(Packs.all) : .none }
        if packs == ["none"] { return .none }
        let known = Packs.all.map(\.name)
        for name in packs where !known.contains(name) {
            let sentence = "There is no pack named \(name)."
            throw Failure.invalid(
                FieldErrors("packs", "choice", Suggestion.sentence(sentence, for: name, among: known)))
        }
        return StorePacks(Packs.all.filter { packs.contains($0.name) })
    }
}
