// The packs of this program, each registered by one line.
import Lists
import Places
import Routes
import Store

package enum RegisteredPacks {
    package static let all: [Pack] = [
        .places,
        .routes,
        .lists,
    ]
}
