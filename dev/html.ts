/** Escaped markup. */
export type Html = { markup: string }

type Part = Html | Html[] | string | number | undefined | false

/** A template tag for markup: escapes interpolated values, unless they are markup. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: strings.map((piece, index) => piece + written(parts[index])).join('') }
}

function written(part: Part): string {
  if (part === undefined || part === false) return ''
  if (Array.isArray(part)) return part.map(({ markup }) => markup).join('')
  return typeof part === 'object' ? part.markup : escaped(String(part))
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!)
}
