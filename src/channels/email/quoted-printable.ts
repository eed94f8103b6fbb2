/** Text with slots: each reserves `length` ASCII letters, which are overwritten later. */
export type SlottedText<T> = (string | { slot: T; length: number })[]

/** `text` is ASCII with CRLF line ends; each slot is filled with placeholder letters. */
type EncodedText<T> = { text: string; slots: { slot: T; offset: number }[] }

/** Maximum characters of a line before its end or the soft break `=` (RFC 2045, 6.7: 76 including it). */
const lineLength = 75

/**
 * Quoted-printable (RFC 2045, 6.7). A slot stays on one line. White space is never doubled or at the end of a line, so
 * that the text is already in the relaxed canonical form of a signature (RFC 6376, 3.4.4).
 */
export function quotedPrintable<T>(pieces: SlottedText<T>): EncodedText<T> {
  const slots: EncodedText<T>['slots'] = []
  let text = ''
  let column = 0
  let afterSpace = false
  const append = (token: string) => {
    if (column + token.length > lineLength) {
      text += '=\r\n'
      column = 0
    }
    text += token
    column += token.length
    afterSpace = token === ' '
  }

  for (const piece of pieces) {
    if (typeof piece !== 'string') {
      append('x'.repeat(piece.length))
      slots.push({ slot: piece.slot, offset: text.length - piece.length })
      continue
    }
    const bytes = Buffer.from(piece)
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!
      if (byte === 0x0a) {
        text += '\r\n'
        column = 0
        afterSpace = false
      } else append(needsCode(byte, bytes[i + 1], afterSpace) ? code(byte) : String.fromCharCode(byte))
    }
  }
  if (!text.endsWith('\r\n')) text += '\r\n'
  return { text, slots }
}

function needsCode(byte: number, next: number | undefined, afterSpace: boolean): boolean {
  if (byte === 0x20) return next === undefined || next === 0x0a || afterSpace
  return byte < 0x21 || byte > 0x7e || byte === 0x3d
}

function code(byte: number): string {
  return `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
