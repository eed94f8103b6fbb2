import { limits } from '../../contract/limits.ts'
import { TemplateFault } from './template-fault.ts'

/** What parsing counts for besides the characters of a text: an opening, and each character up to its end. */
const cost = { opening: 100, markup: 20 }

/** What parsing a text counts for, in characters. */
export function charactersToParse(text: string): number {
  return [...markupOf(text)].reduce(
    (sum, { length }) => sum + cost.opening + cost.markup * length,
    text.length,
  )
}

/**
 * Rejects what is nested so deeply that parsing or rendering it would need more of the stack than some thread has.
 * @throws TemplateFault
 */
export function assertShallow(text: string): void {
  assertDepth(text.matchAll(text.includes('liquid') ? blocksByLine : blocks), ([, end]) => end === undefined)
  for (const markup of markupOf(text))
    assertDepth(markup.matchAll(/[[(\])]/g), ([bracket]) => '[('.includes(bracket))
}

const blocks = /\{%-?\s*(end)?(?:if|unless|case|for|tablerow|capture)\b/g
/** A `liquid` tag holds one in each line. */
const blocksByLine = /(?:\{%-?\s*|^[ \t]*)(end)?(?:if|unless|case|for|tablerow|capture)\b/gm

function assertDepth(matches: Iterable<RegExpExecArray>, opens: (one: RegExpExecArray) => boolean): void {
  let depth = 0
  for (const one of matches) {
    depth = Math.max(0, depth + (opens(one) ? 1 : -1))
    if (depth > limits.templateDepth) throw tooDeep
  }
}

const tooDeep = new TemplateFault({
  'zh-TW': `區塊或括號最多只能有 ${limits.templateDepth} 層`,
  en: `blocks and brackets may be nested at most ${limits.templateDepth} deep`,
})

/** Filters that read and write about as much as the value has. */
const boundedFilters =
  /\|\s*(?:default|date|escape|upcase|downcase|capitalize|l?strip|rstrip|url_encode|newline_to_br|size|first|last|append|prepend|truncate|plus|minus|times|divided_by|round|floor|ceil|abs)\b/g
const boundedTags = /\{%-?\s*(?:if|elsif|else|endif|unless|endunless|case|when|endcase)\b/g

/**
 * Whether what rendering a text takes is known before: it has no loop, no text of its own that grows, and no filter that
 * makes more of a value. Each of its parts is rendered once, at most.
 */
export function isBounded(text: string): boolean {
  return (
    count(text, /\{%/g) === count(text, boundedTags) && count(text, /\|/g) === count(text, boundedFilters)
  )
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** Each tag and each output of a text, from its opening to its end; what stands in quotation marks does not end it. */
function* markupOf(text: string): Generator<string> {
  const mark = /\{[{%]|[}%]\}|["']/g
  let opened: RegExpExecArray | null = null
  let quote: string | null = null
  for (const one of text.matchAll(mark)) {
    const [token] = one
    if (!opened) {
      if (token.startsWith('{')) opened = one
    } else if (quote !== null) quote = token === quote ? null : quote
    else if (token === '"' || token === "'") quote = token
    else if (token === (opened[0] === '{{' ? '}}' : '%}')) {
      yield text.slice(opened.index, one.index)
      opened = null
    }
  }
  if (opened) yield text.slice(opened.index)
}
