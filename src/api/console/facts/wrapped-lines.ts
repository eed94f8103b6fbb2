import { beginning } from '../../../domain/content/graphemes.ts'

/**
 * Texts in lines of a given width. A width is in ems: times the size of a Chinese character; other letters are about half
 * as wide. A text may have 100,000 characters and a line a dozen, so nothing is measured further than it is shown.
 */

const narrow = 0.58

/** English breaks between words, Chinese anywhere. */
const unbreakable = /[⺀-\u{10FFFF}]|[^\s⺀-\u{10FFFF}]+ ?| /gu

/** The width of a text, in ems. For short ones: it reads all of it. */
export function emsOf(text: string): number {
  let sum = 0
  for (const character of text) sum += emsOfCharacter(character)
  return sum
}

function emsOfCharacter(character: string): number {
  return character < '⺀' ? narrow : 1
}

/** A text in lines of at most `ems`, at most `lines` of them; what does not fit ends in an ellipsis. */
export function wrapped(text: string, ems: number, lines: number): string[] {
  const result: string[] = []
  let line = ''
  for (const [part] of text.replaceAll(/\s+/g, ' ').trim().matchAll(unbreakable)) {
    if (result.length > lines) break
    if (fits(line + part.trimEnd(), ems)) {
      line += part
      continue
    }
    if (line.trim() !== '') result.push(line.trim())
    line = part
  }
  if (line.trim() !== '') result.push(line.trim())
  const visible = result.slice(0, lines)
  const cut = result.length > lines
  return visible.map((one, index) => clipped(one, ems, cut && index === visible.length - 1))
}

function fits(text: string, ems: number): boolean {
  return shownLength(text, ems) === text.length
}

/** A line that fits, or its beginning with an ellipsis. `more`: something follows it. */
function clipped(line: string, ems: number, more: boolean): string {
  if (!more && fits(line, ems)) return line
  return `${beginning(line, shownLength(line, ems - emsOfCharacter('…'))).trimEnd()}…`
}

/** How much of a text, in UTF-16 code units, is at most `ems` wide. Reads one character more than that. */
function shownLength(text: string, ems: number): number {
  let width = 0
  let length = 0
  for (const character of text) {
    width += emsOfCharacter(character)
    if (width > ems) break
    length += character.length
  }
  return length
}
