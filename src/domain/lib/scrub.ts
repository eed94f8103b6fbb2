/** The parts of an error that may be logged: its name and stack, without values that may be personal data. */
type ScrubbedError = {
  name: string
  code?: string
  message: string
  at: string[]
  cause?: ScrubbedError
}

/** Number of stack frames kept: enough to find the cause. */
const frames = 12
/** Longer than any message of this code or of a library, in characters. */
const lineMax = 1_000

/** Chat addresses, mail addresses, quoted texts, long numbers, and non-ASCII characters. */
const values = [
  /U[0-9a-f]{32}/g,
  /(?<![^\s<>"'(),;:])[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g,
  /"[^"]*"/g,
  /'[^']*'/g,
  /\+?\d[\d -]{6,}\d/g,
  /[^\x20-\x7e]+/g,
]

/**
 * An error in a form that may be logged. Addresses, quoted texts, long numbers and non-ASCII characters of its message
 * become `…`; fields that libraries add (a failing row's `detail`, a response's body) are dropped.
 */
export function scrub(error: unknown): ScrubbedError {
  if (!(error instanceof Error)) return { name: typeof error, message: '', at: [] }
  const code = 'code' in error && isWord(error.code) ? { code: String(error.code) } : {}
  const cause = error.cause === undefined ? {} : { cause: scrub(error.cause) }
  return { name: error.name, ...code, message: scrubText(error.message), at: placesOf(error), ...cause }
}

/** Only the first line: the others quote the text at fault. So does a long line, which is also slow to search. */
function scrubText(text: string): string {
  const [line = ''] = text.split('\n', 1)
  if (line.length > lineMax) return `(${line.length} characters)`
  return values.reduce((rest, value) => rest.replace(value, '…'), line)
}

/** The frames of the stack, without its head, which repeats the message. */
function placesOf({ stack }: Error): string[] {
  return (stack ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^at .+:\d+\)?$/.test(line))
    .slice(0, frames)
}

function isWord(code: unknown): boolean {
  return (typeof code === 'string' && /^\w{1,40}$/.test(code)) || typeof code === 'number'
}
