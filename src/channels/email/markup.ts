import type { MailLink, Pieces } from './wire.ts'

/** Finished HTML, with slots for links. Only `html` creates it, so that every text in it is escaped. */
export class Markup {
  readonly pieces: Pieces

  constructor(pieces: Pieces) {
    this.pieces = pieces
  }
}

type Value = string | number | MailLink | Markup | Markup[]

/** Builds HTML; escapes every value that is not itself markup, for text and for quoted attributes. */
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

/** Joins adjacent strings, so that strings and links alternate. */
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

/** Escapes a text for HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!)
}
