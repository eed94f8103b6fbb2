import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import type { GuideSource } from './source.ts'

/** Addresses by the paths of the pages in the project. */
export type Addresses = ReadonlyMap<string, string>

/** Where a link of a page leads as it is served; undefined: to nothing that is. */
export function targetOf(from: string, href: string, addresses: Addresses): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const address = addresses.get(posix.join(posix.dirname(from), file))
  return address === undefined || anchor === undefined ? address : `${address}#${anchor}`
}

/**
 * A page in Markdown as it is served: its links lead to the Markdown of other pages, and one that would lead to nothing is
 * its words alone.
 */
export function servedMarkdown({ path, text }: GuideSource, addresses: Addresses): string {
  const inMarkdown = new Map([...addresses].map(([page, address]) => [page, `${address}.md`]))
  let served = ''
  let end = 0
  for (const { raw, type, href } of linksIn(text)) {
    const start = text.indexOf(raw, end)
    const image = type === 'image'
    const target = image ? `/${posix.join(posix.dirname(path), href)}` : targetOf(path, href, inMarkdown)
    // What does not stand in the text as it was parsed is an escaped cell of a table: none of ours has a link.
    if (start < 0 || target === href) continue
    const words = raw.slice(image ? 2 : 1, raw.lastIndexOf(']('))
    served +=
      text.slice(end, start) + (target === undefined ? words : `${image ? '!' : ''}[${words}](${target})`)
    end = start + raw.length
  }
  return served + text.slice(end)
}

/** The links and images of a text in their order; code has none. */
function linksIn(text: string): (Tokens.Link | Tokens.Image)[] {
  const marked = new Marked()
  const links: (Tokens.Link | Tokens.Image)[] = []
  marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(token as Tokens.Link | Tokens.Image)
  })
  return links
}
