/** What may come next in a JSON text (RFC 8259). `first…`: the container may also end. */
type Expected = 'value' | 'firstItem' | 'key' | 'firstKey' | 'colon' | 'end'

const space = /[\t\n\r ]*/y
const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const escapes = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/**
 * The offset of the first character that makes a text invalid JSON, its length if it ends too early, null if it is
 * valid. (The parser's own error has a position only for some faults, and repeats the text.)
 */
export function jsonFault(text: string): number | null {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  for (let at = end(space, text, 0)!; ; at = end(space, text, at)!) {
    if (at === text.length) return expected === 'end' && open.length === 0 ? null : at
    const character = text[at]!
    const inside = open.at(-1)
    if (expected === 'end') {
      if (inside === undefined) return at
      if (character === ',') expected = inside === '{' ? 'key' : 'value'
      else if (character === closing[inside]) open.pop()
      else return at
      at += 1
    } else if (expected === 'colon') {
      if (character !== ':') return at
      expected = 'value'
      at += 1
    } else if ((expected === 'firstKey' || expected === 'firstItem') && character === closing[inside!]) {
      open.pop()
      expected = 'end'
      at += 1
    } else if (expected === 'key' || expected === 'firstKey') {
      if (character !== '"') return at
      const string = stringEnd(text, at)
      if (string.fault) return string.at
      expected = 'colon'
      at = string.at
    } else if (character === '{' || character === '[') {
      open.push(character)
      expected = character === '{' ? 'firstKey' : 'firstItem'
      at += 1
    } else if (character === '"') {
      const string = stringEnd(text, at)
      if (string.fault) return string.at
      expected = 'end'
      at = string.at
    } else {
      const after = end(literal, text, at)
      if (after === null) return at
      expected = 'end'
      at = after
    }
  }
}

const closing = { '{': '}', '[': ']' } as const

/** The offset after a match that starts at `at`; null if there is none. */
function end(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

/** The offset after the string that starts at `start`, or of the fault in it. */
function stringEnd(text: string, start: number): { at: number; fault: boolean } {
  let at = start + 1
  while (at < text.length) {
    const character = text[at]!
    if (character === '"') return { at: at + 1, fault: false }
    if (character < ' ') return { at, fault: true }
    const after = character === '\\' ? end(escapes, text, at) : at + 1
    if (after === null) return { at, fault: true }
    at = after
  }
  return { at, fault: true }
}
