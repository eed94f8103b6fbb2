import { linkPath } from './links.ts'
import type { CompiledEmail, Pieces } from './wire.ts'

/** Where the links of previews and test mails lead: to a page that says so. No token is as short. */
export const sampleToken = 'sample'

/** A mail as text, with links that can do nothing. `publicUrl` has no slash at its end. */
export function sampleMail({ subject, html, text }: CompiledEmail, publicUrl: string) {
  const link = `${publicUrl}${linkPath}${sampleToken}`
  return { subject, html: withLinks(html, link), text: withLinks(text, link) }
}

function withLinks(pieces: Pieces, link: string): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : link)).join('')
}
