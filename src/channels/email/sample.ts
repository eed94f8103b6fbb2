import { escapeHtml } from '../../html/markup.ts'
import { Cleared } from '../cleared.ts'
import { linkPath } from './links.ts'
import type { CompiledEmail, MailLink, Pieces } from './wire.ts'

/** The token in links of previews and test mails; its page explains that. Real tokens are longer. */
export const sampleToken = 'sample'

/** The token in the links of a mail that is read in the browser: they work in the mail itself. */
export const copyToken = 'copy'

/**
 * The HTML of a mail to read in the browser. Its own links do nothing: who has its address may read it, and do no more
 * (docs/design/links.md).
 */
export function mailCopy(mail: Cleared<CompiledEmail>): string {
  const { html } = Cleared.contentFor(mail)
  return withLinks(html, escapeHtml, ({ purpose }) => (purpose === 'view' ? '#' : `${linkPath}${copyToken}`))
}

/** A mail as text, with links that do nothing. `publicUrl` has no trailing slash. */
export function sampleMail({ subject, html, text }: CompiledEmail, publicUrl: string) {
  const link = () => `${publicUrl}${linkPath}${sampleToken}`
  return {
    subject,
    html: withLinks(html, escapeHtml, link),
    text: withLinks(text, (url) => url, link),
  }
}

/** A tracked link leads straight to its URL here, so that only its recipient's clicks are counted. */
function withLinks(
  pieces: Pieces,
  encode: (url: string) => string,
  linkOf: (link: MailLink) => string,
): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece
      return encode(piece.purpose === 'open' ? piece.url : linkOf(piece))
    })
    .join('')
}
