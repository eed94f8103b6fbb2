import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { html, type Markup } from '../../channels/email/markup.ts'
import { paletteSheet } from '../../channels/palette.ts'

/** A page of the project's documentation: its path in the project, and its text in Markdown. */
export type GuideSource = { path: string; text: string }

/** A part of a page that a search found. `excerpt`: its text around the first word that was found. */
export type Found = { address: string; page: string; heading: string; excerpt: string }

const style = `
${paletteSheet}*{box-sizing:border-box}
body{margin:0;background:var(--sheet);color:var(--ink);font:16px/1.65 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:break-word}
.frame{display:grid;grid-template-columns:200px minmax(0,1fr);gap:32px;max-width:1120px;margin:0 auto;padding:32px 24px 64px}
nav{font-size:15px}
nav p{margin:0 0 12px;font-weight:600}
nav a{display:block;padding:3px 0;text-decoration:none}
nav a[aria-current]{color:var(--ink);font-weight:600}
nav input,main input{width:100%;margin:0 0 12px;padding:7px 10px;border:1px solid var(--line);border-radius:9px;background:var(--panel);color:var(--ink);font:inherit}
main dt{margin-top:18px}main dd{margin:2px 0 0;color:var(--quiet)}
main{padding:8px 36px 36px;background:var(--panel);border-radius:14px}
h1{margin:20px 0 8px;font-size:27px;line-height:1.3}
h2{margin:36px 0 8px;font-size:20px}
h3{margin:28px 0 8px;font-size:17px}
a{color:var(--accent);overflow-wrap:anywhere}td a{overflow-wrap:break-word}
code{padding:1px 4px;border-radius:4px;background:var(--sheet);font:.87em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{margin:16px 0;padding:14px 16px;overflow-x:auto;border:1px solid var(--line);border-radius:9px;background:var(--sheet)}
pre code{padding:0;background:none;font-size:13.5px}
.wide{overflow-x:auto}
img{max-width:100%;height:auto}
table{width:100%;border-collapse:collapse;font-size:15px}
th,td{padding:8px 16px 8px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
td:first-child{min-width:150px}
a:focus-visible,input:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
@media (max-width:800px){.frame{display:flex;flex-direction:column-reverse;gap:16px;padding:12px 12px 48px}main{padding:4px 18px 24px}td:first-child{min-width:0}th,td{padding-right:10px}
nav{margin:0 6px}nav a{display:inline-block;padding:8px 14px 8px 0}}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** Allows the pages' own style and images, and the form of the search: no scripts. */
export const guidePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
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
export function renderFound(
  sources: GuideSource[],
  addressOf: (path: string) => string,
  { query, found }: { query: string; found: readonly Found[] },
): string {
  const items = found.map(({ address, page, heading, excerpt }) => {
    const title = heading === page ? page : `${page}: ${heading}`
    return html`<dt><a href="${address}">${title}</a></dt>\n<dd>${excerpt}</dd>\n`
  })
  const none = query === '' ? 'Type a word above.' : 'Nothing found. Try another word, or fewer.'
  const list = items.length > 0 ? html`<dl>\n${items}</dl>\n` : html`<p>${none}</p>\n`
  const body = html`<h1 id="search">Search</h1>\n${searchForm(query)}${list}`
  return documentOf('Search', navigation(titlesOf(sources, addressOf), searchAddress), body.pieces.join(''))
}

/** Where the pages are searched, with the words in `q`. */
export const searchAddress = '/docs/api/search'

function searchForm(query: string): Markup {
  return html`<form action="${searchAddress}" role="search"><input type="search" name="q" value="${query}" placeholder="Search" aria-label="Search the pages" maxlength="200"></form>\n`
}

function titlesOf(sources: GuideSource[], addressOf: (path: string) => string) {
  return sources.map(({ path, text }) => [addressOf(path), titleOf(text)] as const)
}

/** The title of a page: its first heading. */
export function titleOf(text: string): string {
  return (/^# (.+)$/m.exec(text)?.[1] ?? 'Carillon').replaceAll('`', '')
}

/** The Markdown of this project's own files is trusted; code and text are escaped. */
function bodyOf({ path, text }: GuideSource, addresses: Map<string, string>): string {
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

function targetOf(from: string, href: string, addresses: Map<string, string>): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const address = addresses.get(posix.join(posix.dirname(from), file))
  return address === undefined || anchor === undefined ? address : `${address}#${anchor}`
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
  const form = current === searchAddress ? '' : searchForm('').pieces.join('')
  return `<p>Carillon</p>\n${form}<a href="/docs/">All operations, to try</a>\n${links.join('\n')}`
}

function documentOf(title: string, nav: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} – Carillon</title>
<style>${style}</style>
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
