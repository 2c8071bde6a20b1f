// Videos and sounds of known providers: a paragraph with only a link to one is shown as a card, here as in the preview.
import { Extension, pm } from "./vendor/prose-editor.js"

// What follows the beginning of a URL, up to its parameters. The same rule as that of `EmbedProvider`.
function referenceIn(url, start) {
  const bare = url.replace(/^https?:\/\/(www\.)?(m\.)?/, "")
  return bare.startsWith(start) ? bare.slice(start.length).match(/^[\w/-]+(?=$|[?&#])/)?.[0] : undefined
}

const ofPage = (url, providers) => providers.find(({ pages, hasNumbers }) => pages.some((start) => {
  const reference = referenceIn(url, start)
  return reference && (!hasNumbers || /^\d/.test(reference))
}))

// The URL of the page for that of a page or a player; nothing for other URLs.
export function pageOf(url, providers) {
  if (ofPage(url, providers)) return url
  for (const { players, page } of providers) {
    for (const start of players) {
      const reference = referenceIn(url, start)
      if (reference) return page + reference
    }
  }
}

// Only the link, beside spaces.
export function linkOf(node) {
  if (node.type.name !== "paragraph") return null
  const children = []
  node.forEach((child) => { if (!child.isText || child.text.trim()) children.push(child) })
  const [only] = children
  return children.length === 1 && only.marks.length === 1 && only.marks[0].type.name === "link" ? only : null
}

const providerOf = (node, providers) => ofPage(linkOf(node)?.marks[0].attrs.href ?? "", providers)

export const isEmbed = (node, providers) => providerOf(node, providers) !== undefined

export const embeds = (providers) => Extension.create({
  name: "embeds",
  addProseMirrorPlugins: () => [new pm.state.Plugin({
    props: {
      decorations({ doc }) {
        const cards = []
        doc.descendants((node, position) => {
          const provider = providerOf(node, providers)
          if (provider) cards.push(pm.view.Decoration.node(position, position + node.nodeSize, { class: "embed", "data-provider": provider.name }))
          return !node.isTextblock
        })
        return pm.view.DecorationSet.create(doc, cards)
      },
    },
  })],
})
