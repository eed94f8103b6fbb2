/** The columns of a list: for each heading, what a row shows under it. */
export type Columns<Item> = Record<string, (item: Item) => string>

/** A list with a line of headings; of an empty one, only that there is nothing. */
export function formatTable<Item>(items: readonly Item[], columns: Columns<Item>): string[] {
  if (items.length === 0) return ['None.']
  const headings = Object.keys(columns).map((heading) => heading.toUpperCase())
  return formatColumns([headings, ...items.map((item) => Object.values(columns).map((cell) => cell(item)))])
}

const lineEnds = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

/** Formats rows in columns as wide as their widest cell, each in one line whatever its cells contain. */
export function formatColumns(cells: string[][]): string[] {
  const rows = cells.map((row) => row.map((cell) => cell.replace(lineEnds, ' ')))
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]!))))
  return rows.map((row) =>
    row
      .map((cell, column) => padTo(cell, widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}

/** Characters that a terminal shows in two columns: East Asian wide ones and pictures (Unicode Standard Annex 11). */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u
/** Characters that stand on the one before them. */
const combined = /\p{Mark}|\u200d/u

/** The columns of a terminal that a text takes. */
export function widthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + widthOfCharacter(character), 0)
}

function widthOfCharacter(character: string): number {
  if (combined.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

/** Fills a text up with spaces. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** Cuts a text to a width, with an ellipsis where it was longer. */
export function clipTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let cut = ''
  for (const character of text) {
    if (widthOf(cut + character) > width - 1) break
    cut += character
  }
  return width < 1 ? '' : `${cut}…`
}
