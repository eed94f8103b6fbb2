/** HTML in parts: finished text, and slots that are filled later. */
type Pieces<Slot> = (string | Slot)[]

/** Finished HTML, with slots. Only `html` and `trusted` create it, so that every text in it is escaped. */
export class Markup<Slot extends object = never> {
  readonly pieces: Pieces<Slot>

  constructor(pieces: Pieces<Slot>) {
    this.pieces = pieces
  }
}

/** `undefined` and `false` are nothing. */
type Value<Slot extends object> = string | number | undefined | false | Slot | Markup<Slot> | Markup<Slot>[]

/** Builds HTML; escapes every value that is not itself markup, for text and for quoted attributes. */
export function html<Slot extends object = never>(
  strings: TemplateStringsArray,
  ...values: Value<NoInfer<Slot>>[]
): Markup<Slot> {
  const pieces = strings.flatMap((string, index) => [string, ...piecesOf<Slot>(values[index])])
  return new Markup(mergeAdjacent(pieces))
}

function piecesOf<Slot extends object>(value: Value<Slot>): Pieces<Slot> {
  if (value === undefined || value === false) return []
  if (value instanceof Markup) return value.pieces
  if (Array.isArray(value)) return value.flatMap((part) => part.pieces)
  return [typeof value === 'object' ? value : escapeHtml(String(value))]
}

/** Markup that this project itself has written as a text, such as a style sheet. */
export function trusted(text: string): Markup {
  return new Markup<never>([text])
}

/** The text of finished HTML without slots. */
export function textOf(markup: Markup): string {
  return markup.pieces.join('')
}

/** Joins adjacent strings, so that strings and slots alternate. */
export function mergeAdjacent<Slot extends object>(pieces: Pieces<Slot>): Pieces<Slot> {
  const result: Pieces<Slot> = []
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
