import { linkPath } from './links.ts'
import type { CompiledEmail, Pieces } from './wire.ts'

/** The token in links of previews and test mails; its page explains that. Real tokens are longer. */
export const sampleToken = 'sample'

/** A mail as text, with links that do nothing. `publicUrl` has no trailing slash. */
export function sampleMail({ subject, html, text }: CompiledEmail, publicUrl: string) {
  const link = `${publicUrl}${linkPath}${sampleToken}`
  return { subject, html: withLinks(html, link), text: withLinks(text, link) }
}

function withLinks(pieces: Pieces, link: string): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : link)).join('')
}
