// The packs of this program, each registered by one line.
import Lists
import Places
import Routes
import Store

package enum Packs {
    package static let all: [StorePack] = [
        .places,
        .routes,
        .lists,
    ]
}
