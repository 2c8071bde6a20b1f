// Checks the value of a field that names an image or another file.
import Localization

extension FieldCheck {
    mutating func image(_ raw: JSONValue) -> JSONValue? {
        if case .string(let written) = raw {
            guard !PlainText.isBlank(written) else { return nil }
            return webURL(written, httpsOnly: true).map { .object(["url": $0]) }
        }
        if raw["media"] != nil { return storedImage(raw) }
        let known = ["url", "alt", "width", "height", "media"]
        guard let members = object(raw, knowing: known, tr("Enter the URL of an image.")) else { return nil }
        var checked: [String: JSONValue] = [:]
        checked["url"] = requiredURL(in: members)
        checked["alt"] = line(members["alt"], maxLength: ImageValue.maxAltLength, below: "/alt")
        checked["width"] = count(members["width"], 1...100_000, below: "/width")
        checked["height"] = count(members["height"], 1...100_000, below: "/height")
        return errors.isEmpty ? .object(checked) : nil
    }

    /// An image in the media library, by its ID. Members that a revision adds (`ImageValue.complete`) may be present,
    /// for
    /// example from an older version; they are dropped and read again from the library.
    private mutating func storedImage(_ raw: JSONValue) -> JSONValue? {
        let known = ["media", "alt", "path", "type", "bytes", "sha256", "width", "height", "focus", "renditions"]
        if raw["url"] != nil {
            return refuse(
                "ambiguous", tr("Enter a URL or choose an image from the media library, not both."), below: "/url")
        }
        guard let members = object(raw, knowing: known, tr("Enter an image ID.")) else { return nil }
        guard let id = ImageValue.media(in: raw) else {
            return refuse("reference", tr("This is not an image ID."), below: "/media")
        }
        var checked: [String: JSONValue] = ["media": .string(id.description)]
        checked["alt"] = line(members["alt"], maxLength: ImageValue.maxAltLength, below: "/alt")
        return errors.isEmpty ? .object(checked) : nil
    }

    mutating func file(_ raw: JSONValue) -> JSONValue? {
        let known = ["url", "type", "bytes"]
        guard let members = object(raw, knowing: known, tr("Enter the URL, type and size of a file.")) else {
            return nil
        }
        var checked: [String: JSONValue] = [:]
        checked["url"] = requiredURL(in: members)
        checked["type"] = line(members["type"], maxLength: 127, below: "/type")
        checked["bytes"] = count(members["bytes"], 0...(1 << 50), below: "/bytes")
        if let type = checked["type"]?.stringValue, !MediaTypeText.isValid(type) {
            add("format", tr("Enter a media type such as video/mp4."), below: "/type")
        }
        return errors.isEmpty ? .object(checked) : nil
    }

    private mutating func requiredURL(in members: [String: JSONValue]) -> JSONValue? {
        guard let written = members["url"]?.stringValue, !PlainText.isBlank(written) else {
            return refuse("required", tr("Enter a URL."), below: "/url")
        }
        return webURL(written, httpsOnly: true, below: "/url")
    }
}
