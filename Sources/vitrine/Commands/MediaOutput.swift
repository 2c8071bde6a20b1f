// Encodes an image for JSON output.
import Domain
import Store

struct MediaOutput: Encodable {
    struct File: Encodable {
        let url: String
        let width: Int
        let height: Int
        let bytes: Int
        let sha256: String
    }

    struct Use: Encodable {
        let entry: String
        let type: String
        let title: String
        let live: Bool
    }

    let id: String
    let name: String
    let type: String
    let alt: String
    let focus: JSONValue
    let state: String
    let used: Bool
    let live: Bool
    let files: [File]
    let uses: [Use]?

    init(_ media: MediaRow, _ base: String, uses: [MediaUse]? = nil) {
        id = media.id.description
        name = media.name
        type = media.type
        alt = media.alt
        focus = media.focus.json
        state = media.state.rawValue
        used = media.isUsed
        live = media.isLive
        files = media.files.map {
            File(url: base + $0.path, width: $0.width, height: $0.height, bytes: $0.bytes, sha256: $0.sha256)
        }
        self.uses = uses?.map {
            Use(entry: $0.entry.description, type: $0.type, title: $0.title, live: $0.isLive)
        }
    }
}
