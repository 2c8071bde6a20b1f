// Reads the configuration of maps: where their tiles come from.
import FoundationEssentials

extension Settings {
    package struct Maps: Sendable, Encodable {
        /// URL of a tile with `{z}`, `{x}` and `{y}`, and optionally `{s}` for a, b or c.
        package let tiles: String
        /// Shown below the map; providers require it.
        package let attribution: String

        /// Nil without tiles: positions are entered as coordinates.
        init?(_ read: SettingsReader) {
            let tiles = read.optionalText(
                "maps.tile_url",
                "URL of map tiles: https://tiles.example.org/{z}/{x}/{y}.png. Without it there are no maps.")
            let attribution = read.optionalText("maps.attribution", "Whose map it is, shown below it.")
            guard let tiles else { return nil }
            let plain = ["{s}", "{x}", "{y}", "{z}"].reduce(tiles) { $0.replacing($1, with: "1") }
            let parts = URLComponents(string: plain)
            guard let scheme = parts?.scheme?.lowercased(), ["http", "https"].contains(scheme),
                parts?.host?.isEmpty == false,
                !plain.contains(where: { " ;,'\"".contains($0) })
            else {
                read.refuse(
                    "maps.tile_url", "must be a URL such as https://tiles.example.org/{z}/{x}/{y}.png, not \"\(tiles)\""
                )
                return nil
            }
            for part in ["{x}", "{y}", "{z}"] where !tiles.contains(part) {
                read.refuse("maps.tile_url", "must contain \(part)")
            }
            self.tiles = tiles
            self.attribution = attribution ?? ""
        }

        /// Where browsers load them from: `https://*.example.org` for several servers.
        package var origin: String {
            let server = tiles.replacing("{s}", with: "*")
            guard let slashes = server.firstRange(of: "://") else { return "" }
            return String(server[..<slashes.upperBound] + server[slashes.upperBound...].prefix { $0 != "/" })
        }
    }
}
