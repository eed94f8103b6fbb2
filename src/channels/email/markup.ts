import type { LinkTarget, Pieces } from './wire.ts'

/** Finished HTML, with places for links. Only `html` makes it, so that no text gets in without being escaped. */
export class Markup {
  readonly pieces: Pieces

  constructor(pieces: Pieces) {
    this.pieces = pieces
  }
}

type Value = string | number | LinkTarget | Markup | Markup[]

/** HTML in which every value that is not itself markup is escaped, for text and quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Markup {
  const pieces = strings.flatMap((string, index) => [
    string,
    ...(index < values.length ? written(values[index]!) : []),
  ])
  return new Markup(mergeAdjacent(pieces))
}

function written(value: Value): Pieces {
  if (value instanceof Markup) return value.pieces
  if (Array.isArray(value)) return value.flatMap((part) => part.pieces)
  return [typeof value === 'object' ? value : escapeHtml(String(value))]
}

/** Neighbouring strings become one, so that a link is what stands between two strings. */
export function mergeAdjacent(pieces: Pieces): Pieces {
  const result: Pieces = []
  for (const piece of pieces) {
    const last = result.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') result[result.length - 1] = last + piece
    else if (piece !== '') result.push(piece)
  }
  return result
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!)
}
