const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Whether a text has at most `limit` grapheme clusters (what a reader calls characters). */
export function fitsGraphemes(text: string, limit: number): boolean {
  if (text.length <= limit) return true // no cluster is shorter than one UTF-16 unit
  let count = 0
  for (const _ of segmenter.segment(text)) if (++count > limit) return false
  return true
}

/** The text in at most `units` UTF-16 units, cut between grapheme clusters; a cut text ends in `…`. */
export function cut(text: string, units: number): string {
  if (text.length <= units) return text
  let kept = ''
  for (const { segment } of segmenter.segment(text)) {
    if (kept.length + segment.length > units - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** The size of a value as JSON, in bytes of UTF-8. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
