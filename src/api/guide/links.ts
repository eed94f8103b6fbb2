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
  for (const { type, href } of linksIn(text)) {
    const close = text.indexOf(`](${href})`, end)
    const target =
      type === 'image' ? `/${posix.join(posix.dirname(path), href)}` : targetOf(path, href, inMarkdown)
    // An address that stands by itself has no words.
    if (close < 0 || target === href) continue
    const open = text.lastIndexOf('[', close)
    served +=
      target === undefined
        ? text.slice(end, open) + text.slice(open + 1, close)
        : `${text.slice(end, close)}](${target})`
    end = close + `](${href})`.length
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
