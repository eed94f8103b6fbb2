import type { LinkPosition } from '../domain/content/web-link.ts'

/** The parts that all tokens of links have: ids, and the position of an option, action or link in a content. */

/** The first 128 bits of HMAC-SHA256. */
export const tagBytes = 16
/** Encodes "no card": a message has at most ten. */
const noCard = 255
/** Marks a link for readers of English; a message has at most 13 options. */
const english = 128

/** Bytes of a position: the message (2), the card, and the option or action. */
export const positionBytes = 4

/** Writes a UUID in 16 bytes. */
export function writeUuid(token: Buffer, start: number, id: string): void {
  token.write(id.replaceAll('-', ''), start, 'hex')
}

/** The UUID in the 16 bytes from `start`. */
export function readUuid(token: Buffer, start: number): string {
  return token.toString('hex', start, start + 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Writes a position. Without a language it is that of an option or action, which is the same in each. */
export function writePosition(
  token: Buffer,
  start: number,
  position: Omit<LinkPosition, 'locale'> & Partial<LinkPosition>,
) {
  const { n, o, locale } = position
  const indices = o.split('.').map(Number)
  const [card, option] = indices.length === 2 ? [indices[0]!, indices[1]!] : [noCard, indices[0]!]
  token.writeUInt16BE(n, start)
  token[start + 2] = card
  token[start + 3] = locale === 'en' ? option | english : option
}

/** The position in the bytes from `start`. */
export function readPosition(token: Buffer, start: number): LinkPosition {
  const [card, coded] = [token[start + 2]!, token[start + 3]!]
  const option = coded & ~english
  return {
    n: token.readUInt16BE(start),
    o: card === noCard ? `${option}` : `${card}.${option}`,
    locale: coded & english ? 'en' : 'zh-TW',
  }
}
