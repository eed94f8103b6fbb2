import type MarkdownIt from 'markdown-it'
import { lightMark } from '../../contract/enums.ts'

/**
 * What stands around a value in a lightly formatted text, and for a line end in it. No reader sees them, and neither a
 * value nor an author's text has them (invisible-text.ts).
 */
const marks = { begin: '\u2061', end: '\u2062', newline: '\u2064' }
const marked = /\u2061([^\u2061\u2062]*)\u2062/g

/** A value in the source of a lightly formatted text, which reads it letter by letter, whatever it contains. */
export function asValue(text: string): string {
  const source = text.replace(/[\u2061\u2062\u2064]/g, '').replace(/\r\n?|\n/g, marks.newline)
  return `${marks.begin}${source}${marks.end}`
}

/** A source without the marks of its values. */
export function withoutValueMarks(source: string): string {
  return source.replace(marked, (_whole, value: string) => lettersOf(value))
}

function lettersOf(value: string): string {
  return value.replaceAll(marks.newline, '\n').replace(/[\u2061\u2062]/g, '')
}

/** How many marks an author's text around the values may have. */
export function marksIn(source: string): number {
  return source.replace(marked, '').match(lightMark)?.length ?? 0
}

/** Lets a parser take values as text: in texts, in the words of a link, and in its address. */
export function readValues(markdown: MarkdownIt): void {
  const { inline, helpers } = markdown
  inline.ruler.at('text', readText)
  inline.ruler.before('text', 'value', readValue)
  const { parseLinkDestination, parseLinkTitle } = helpers
  helpers.parseLinkDestination = (source, start, max) => {
    const destination = parseLinkDestination(masked(source), start, max)
    if (!destination.ok || !source.includes(marks.begin)) return destination
    const address = source.slice(start, destination.pos)
    return { ...destination, str: addressIn(address, markdown.utils.unescapeAll) }
  }
  helpers.parseLinkTitle = (source, ...rest) => parseLinkTitle(masked(source), ...rest)
}

type Rule = Parameters<MarkdownIt['inline']['ruler']['at']>[1]

/** As markdown-it's own rule, but a value ends it too. */
const readText: Rule = (state, silent) => {
  textEnd.lastIndex = state.pos
  const end = Math.min(textEnd.exec(state.src)?.index ?? state.posMax, state.posMax)
  if (end === state.pos) return false
  if (!silent) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}
const textEnd = /[\n!#$%&*+\-:<=>@[\]\\^_`{}~\u2061]/g

const readValue: Rule = (state, silent) => {
  if (!state.src.startsWith(marks.begin, state.pos)) return false
  eitherMark.lastIndex = state.pos + 1
  const end = eitherMark.exec(state.src)?.index ?? state.posMax
  // Without an end it is no value: the mark itself, which nobody sees, is left out.
  const isValue = end < state.posMax && state.src[end] === marks.end
  if (isValue && !silent) state.push('value', '', 0).content = lettersOf(state.src.slice(state.pos, end))
  state.pos = isValue ? end + 1 : state.pos + 1
  return true
}

const eitherMark = /[\u2061\u2062]/g

/** The same length, with values that end no address. */
function masked(source: string): string {
  return source.replace(marked, (whole) => 'x'.repeat(whole.length))
}

/** The address that is written so, with the letters of its values as they are. */
function addressIn(source: string, unescapeAll: (text: string) => string): string {
  const inner = source.startsWith('<') ? source.slice(1, -1) : source
  // Every second part is a value.
  return inner
    .split(marked)
    .map((part, index) => (index % 2 === 1 ? lettersOf(part) : unescapeAll(part)))
    .join('')
    .trim()
}
