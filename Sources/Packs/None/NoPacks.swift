// A program without packs: the core.
import Store

package enum RegisteredPacks {
    package static let all: [Pack] = []
}
