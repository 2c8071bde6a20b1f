// All content types of a deployment, read from files and validated together.
import Localization

package struct ContentTypes: Sendable {
    /// Sorted by name.
    package let all: [ContentType]
    private let byName: [String: ContentType]

    /// Reads the files of `Config/content-types`; names have no folder.
    ///
    /// Throws `Failure.invalid` with all errors of all files at once, at pointers such as
    /// `article.json#/fields/3/targets`.
    /// `kinds` are those of the core and the enabled packs, and `needs` the fields that their read tables need.
    package init(
        files: [(name: String, bytes: [UInt8])], kinds: Set<ContentType.Kind>,
        needs: [ContentType.Kind: [KindField]] = [:]
    ) throws(Failure) {
        var reader = ContentTypeReader(kinds: kinds)
        var errors = FieldErrors()
        var types: [ContentType] = []
        for file in files.sorted(by: { $0.name < $1.name }) {
            do throws(Failure) {
                types.append(reader.read(try JSONValue(parsing: file.bytes), file: file.name))
            } catch {
                errors.add(Self.located(error, in: file.name))
            }
        }
        errors.add(reader.errors)
        byName = Dictionary(types.map { ($0.name, $0) }) { first, _ in first }
        all = byName.values.sorted { $0.name < $1.name }
        Self.checkTargets(types, among: Set(byName.keys), &errors)
        let found = byName.mapValues(\.kind)
        for type in types {
            for needed in needs[type.kind] ?? [] {
                needed.check(type.fields, of: type, at: "\(type.name).json#", found, &errors)
            }
        }
        try errors.throwIfAny()
    }

    package subscript(name: String) -> ContentType? {
        byName[name]
    }

    private static func located(_ failure: Failure, in file: String) -> FieldErrors {
        guard case .invalid(let found) = failure else {
            return FieldErrors(file, "format", tr("The file could not be read."))
        }
        return found.items.reduce(into: FieldErrors()) { errors, item in
            errors.add("\(file)#\(item.pointer)", item.code, item.message)
        }
    }

    private static func checkTargets(_ types: [ContentType], among names: Set<String>, _ errors: inout FieldErrors) {
        for type in types {
            for (index, field) in type.fields.enumerated() {
                let pointer = "\(type.name).json#/fields/\(index)"
                let own = [(pointer, field.targets)]
                let inner = field.fields.enumerated().map { ("\(pointer)/fields/\($0)", $1.targets) }
                for (pointer, targets) in own + inner {
                    for target in targets where !names.contains(target) {
                        let sentence = tr("There is no content type named \(target).")
                        let message = Suggestion.sentence(sentence, for: target, among: names)
                        errors.add("\(pointer)/targets", "reference", message)
                    }
                }
            }
        }
    }
}
