/**
 * Texts are counted and cut between grapheme clusters, which readers call characters: 😀 has two UTF-16 code units, and
 * 👩‍🏫 five.
 */
const segmenter = new Intl.Segmenter('zh-TW', { granularity: 'grapheme' })

/** Whether a text has at most `limit` grapheme clusters. */
export function fitsGraphemes(text: string, limit: number): boolean {
  return endOf(text, limit) === text.length
}

/** How many grapheme clusters a text has; of one far beyond `limit`, its UTF-16 code units. */
export function countGraphemes(text: string, limit: number): number {
  return text.length > 20 * limit ? text.length : [...segmenter.segment(text)].length
}

/** The first `count` grapheme clusters of a text; a cut text ends in `…`. */
export function clip(text: string, count: number): string {
  const end = endOf(text, count)
  return end === text.length ? text : `${text.slice(0, end)}…`
}

/** The text in at most `units` UTF-16 code units; a cut text ends in `…`. */
export function cut(text: string, units: number): string {
  return text.length <= units ? text : `${beginning(text, units - 1)}…`
}

/** The whole clusters at the beginning of a text, in at most `units` UTF-16 code units. */
export function beginning(text: string, units: number): string {
  if (text.length <= units) return text
  return text.slice(0, units <= 0 ? 0 : segmenter.segment(text).containing(units)!.index)
}

/** Where the first `count` clusters end, in UTF-16 code units. Reads no further: lists have many long texts. */
function endOf(text: string, count: number): number {
  if (text.length <= count) return text.length // no cluster is shorter than one unit
  let passed = 0
  for (const { index } of segmenter.segment(text)) {
    if (passed === count) return index
    passed += 1
  }
  return text.length
}
