// A program without packs: the core.
import Store

package enum Packs {
    package static let all: [StorePack] = []
}
