import { Marked, type Tokens } from 'marked'
import { html, type Markup, textOf } from '../../html/markup.ts'
import { assetPaths } from '../assets.ts'
import { type Addresses, targetOf } from './links.ts'
import type { GuideSource } from './source.ts'

/** A part of a page that a search found. `excerpt`: its text around the first word that was found. */
export type SearchHit = { address: string; page: string; heading: string; excerpt: string }

/** Allows style and images of this origin, and the form of the search: no scripts. */
export const guidePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** An image that is opened by itself: an SVG has its own style. */
export const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'"

/**
 * Renders the pages as complete HTML documents, by the address at which each is served. A link to a page that is not
 * among them is shown as its text.
 */
export function renderGuide(
  sources: GuideSource[],
  addressOf: (path: string) => string,
): Map<string, string> {
  const addresses = new Map(sources.map(({ path }) => [path, addressOf(path)]))
  const titles = titlesOf(sources, addressOf)
  return new Map(
    sources.map((source) => {
      const address = addressOf(source.path)
      return [
        address,
        documentOf(titleOf(source.text), navigation(titles, address), bodyOf(source, addresses)),
      ]
    }),
  )
}

/** The page of a search: what was found, or that nothing was. */
export function renderHits(
  sources: GuideSource[],
  addressOf: (path: string) => string,
  { query, hits }: { query: string; hits: readonly SearchHit[] },
): string {
  const items = hits.map(({ address, page, heading, excerpt }) => {
    const title = heading === page ? page : `${page}: ${heading}`
    return html`<dt><a href="${address}">${title}</a></dt>\n<dd>${excerpt}</dd>\n`
  })
  const none = query === '' ? 'Type a word above.' : 'Nothing found. Try another word, or fewer.'
  const list = items.length > 0 ? html`<dl>\n${items}</dl>\n` : html`<p>${none}</p>\n`
  const body = html`<h1 id="search">Search</h1>\n${searchForm(query)}${list}`
  return documentOf('Search', navigation(titlesOf(sources, addressOf), searchAddress), textOf(body))
}

/** Where the pages are searched, with the words in `q`. */
export const searchAddress = '/docs/api/search'

function searchForm(query: string): Markup {
  const about = html`placeholder="Search" aria-label="Search the pages" maxlength="200"`
  return html`<form action="${searchAddress}" role="search"><input type="search" name="q" value="${query}" ${about}></form>\n`
}

function titlesOf(sources: GuideSource[], addressOf: (path: string) => string) {
  return sources.map(({ path, text }) => [addressOf(path), titleOf(text)] as const)
}

/** The title of a page: its first heading. */
export function titleOf(text: string): string {
  return (/^# (.+)$/m.exec(text)?.[1] ?? 'Carillon').replaceAll('`', '')
}

/** The Markdown of this project's own files is trusted; code and text are escaped. */
function bodyOf({ path, text }: GuideSource, addresses: Addresses): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: words }: Tokens.Heading) {
        return `<h${depth} id="${anchorOf(words)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const words = this.parser.parseInline(tokens)
        const target = targetOf(path, href, addresses)
        return target === undefined ? words : `<a href="${target}">${words}</a>`
      },
    },
    hooks: {
      postprocess: (markup) =>
        markup.replaceAll('<table>', '<div class="wide"><table>').replaceAll('</table>', '</table></div>'),
    },
  })
  return marked.parse(text, { async: false })
}

/** The id of a heading, as the usual viewers of Markdown make it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

function navigation(titles: (readonly [string, string])[], current: string): string {
  const links = titles.map(
    ([address, title]) =>
      `<a href="${address}"${address === current ? ' aria-current="page"' : ''}>${title}</a>`,
  )
  const form = current === searchAddress ? '' : textOf(searchForm(''))
  return `<p>Carillon</p>\n${form}<a href="/docs/">All operations, to try</a>\n${links.join('\n')}`
}

function documentOf(title: string, nav: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} – Carillon</title>
<link rel="stylesheet" href="${assetPaths.guide}">
</head>
<body>
<div class="frame">
<nav>
${nav}
</nav>
<main>
${body}</main>
</div>
</body>
</html>
`
}
