import { posix } from 'node:path'
import type { GuideSource } from './page.ts'

/** Addresses by the paths of the pages in the project. */
export type Addresses = ReadonlyMap<string, string>

/** Where a link of a page leads as it is served; undefined: to nothing that is. */
export function targetOf(from: string, href: string, addresses: Addresses): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const address = addresses.get(posix.join(posix.dirname(from), file))
  return address === undefined || anchor === undefined ? address : `${address}#${anchor}`
}

const fence = /^```.*?^```$/gms
const link = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g

/**
 * A page in Markdown as it is served: its links lead to the Markdown of other pages, and one that would lead to nothing is
 * its words alone.
 */
export function servedMarkdown({ path, text }: GuideSource, addresses: Addresses): string {
  const inMarkdown = new Map([...addresses].map(([page, address]) => [page, `${address}.md`]))
  const rewritten = (prose: string) =>
    prose.replaceAll(link, (whole, image: string, words: string, href: string) => {
      if (image === '!') return whole.replace(`(${href})`, `(/${posix.join(posix.dirname(path), href)})`)
      const target = targetOf(path, href, inMarkdown)
      return target === undefined ? words : `[${words}](${target})`
    })
  const blocks = text.match(fence) ?? []
  return text
    .split(fence)
    .map((prose, at) => rewritten(prose) + (blocks[at] ?? ''))
    .join('')
}
