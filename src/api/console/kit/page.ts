import type { FastifyReply } from 'fastify'
import { palette } from '../../../channels/palette.ts'
import { html, type Markup, textOf } from '../../../html/markup.ts'
import { assetPaths, type ScriptName } from '../../assets.ts'

/** A page: what it is about, and what it says. */
export type Page = {
  lang: string
  /** The sender, shown above the panel. */
  from: string
  title: string
  body: Markup[]
  /** A list of which this page shows one, at its left where the window is wide enough. */
  beside?: Markup
  /** What runs on it (src/api/assets.ts). `live`: something on it moves. Omitted: nothing. */
  script?: ScriptName
  /** For pages that are read at a desk as well: as wide as a text may be, or as a table needs. Omitted: a statement and a form. */
  width?: 'wide' | 'broad'
}

/** What every page may load: style, forms and pictures of its own origin. No scripts, no frames. */
const base = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

/** Of a page that people reach by a link. */
export const pagePolicy = base.join('; ')

/** Of a page for people who are signed in: it also has frames and a script of its own origin, which asks that alone. */
export const deskPolicy = [...base, "script-src 'self'", "connect-src 'self'", "frame-src 'self'"].join('; ')

/** A bell, without which browsers ask for /favicon.ico. A data URL: pages carry it themselves. */
export const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="${palette.light.accent}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21h4M12 3v2"/></svg>`,
)}`

/**
 * Characters that turn the text behind them around (Unicode Standard Annex 9). In a name that its author chose, one
 * could make the times beside it read as others.
 */
const bidiControls = /[\u202A-\u202E\u2066-\u2069]/g

/**
 * Renders a complete HTML document, in which such characters are seen. `menu`: of the pages for people who are signed in,
 * beside it.
 */
export function renderPage(
  { lang, from, title, body, width, beside = html``, script }: Page,
  menu?: Markup,
): string {
  const page = html`<!DOCTYPE html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${assetPaths.page}">
<title>${title}</title>
</head>
<body${menu ? html` class="desk"` : html``}>
${menu ? html`${menu}${beside}` : html``}<main id="content"${width ? html` class="${width}"` : html``}>
<p class="from">${from}</p>
<div class="panel">
<h1>${title}</h1>
${body}</div>
</main>${
    script
      ? html`
<script type="module" src="${assetPaths[script]}"></script>`
      : html``
  }
</body>
</html>\n`
  return visible(page)
}

/** The body of a page alone, for a script that has the rest of it. */
export function renderPart({ body }: Page): string {
  return visible(html`${body}`)
}

function visible(markup: Markup): string {
  return textOf(markup).replace(
    bidiControls,
    (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase()}⟩`,
  )
}

/** Answers with a page that allows only its own style, and what `policy` says, and is never kept by a browser or proxy. */
export function showPage(reply: FastifyReply, markup: string, policy = pagePolicy): FastifyReply {
  reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
  return reply.type('text/html; charset=utf-8').serializer(String).send(markup)
}
