// Images of the media library as the store reads and adds them, and the entries that use them.
import Domain
import FoundationEssentials
import Postgres

package struct MediaRow: Sendable {
    package let id: ID<Media>
    package let name: String
    package let type: String
    package let alt: String
    package let tags: [String]
    /// In the crop.
    package let focus: FocalPoint
    package let crop: ImageCrop
    /// The number of the current version.
    package let version: Int
    /// The path of the full-size file without the crop.
    package let source: String
    package let state: MediaState
    package let uploadedBy: String
    package let uploadedAt: Date
    /// In order of their width; the last is the full image.
    package let files: [ImageValue.File]
    /// Some revision of an entry uses it.
    package let isUsed: Bool
    package let isLive: Bool

    init(row: Row) throws {
        id = try row("id")
        name = try row("name")
        type = try row("type")
        alt = try row("alt")
        tags = try row("tags")
        crop = try ImageCrop(row: row)
        version = try row("version")
        source = try row("source")
        focus = FocalPoint(x: try row("focus_x"), y: try row("focus_y")) ?? .middle
        state = try row("state")
        uploadedBy = try row("uploaded_by_name")
        uploadedAt = try row("uploaded_at")
        isUsed = try row("is_used")
        isLive = try row("is_live")
        files = try ImageValue.File.list(row: row)
    }

    /// The narrowest file of at least this width, or the widest.
    package func file(width: Int) -> ImageValue.File? {
        files.first { $0.width >= width } ?? files.last
    }
}

/// A new image whose files are already stored.
package struct NewMedia: Sendable {
    package let uploadHash: [UInt8]
    package let name: String
    package let type: String
    package let alt: String
    package let files: [ImageValue.File]

    package init(uploadHash: [UInt8], name: String, type: String, alt: String, files: [ImageValue.File]) {
        self.uploadHash = uploadHash
        self.name = name
        self.type = type
        self.alt = alt
        self.files = files
    }
}

package struct MediaFilter: Sendable, Equatable {
    package var query: String?
    /// `unused` (in no revision of any entry and no queued submission), `undescribed` or `missing`
    package var state: String?
    package var tag: String?
    /// The path of a file of any of its versions.
    package var file: String?

    package init(query: String? = nil, state: String? = nil, tag: String? = nil, file: String? = nil) {
        self.query = query
        self.state = state
        self.tag = tag
        self.file = file
    }
}

/// An entry that uses an image.
package struct MediaUse: Sendable {
    package let entry: ID<Entry>
    package let type: String
    package let title: String
    package let isLive: Bool
    /// Only older revisions use it.
    package let isPast: Bool

    init(row: Row) throws {
        entry = try row("id")
        type = try row("type")
        title = try row("title")
        isLive = try row("is_live")
        isPast = try row("is_past")
    }
}
