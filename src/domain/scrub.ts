/** What a log line may hold of an error: its names and its place, without the values that people's data come in. */
export type ScrubbedError = {
  name: string
  code?: string
  message: string
  at: string[]
  cause?: ScrubbedError
}

/** Frames of a stack that are kept: enough to find the place. */
const frames = 12
/** Characters that a message of our own or of a library has at most. */
const lineMax = 1_000

/** Chat addresses, mail addresses, what stands in quotes, long numbers, and what is not plain ASCII. */
const values = [
  /U[0-9a-f]{32}/g,
  /[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g,
  /"[^"]*"/g,
  /'[^']*'/g,
  /\+?\d[\d -]{6,}\d/g,
  /[^\x20-\x7e]+/g,
]

/**
 * An error as it may be logged. Addresses, quoted texts, long numbers and what is not ASCII become `…` in its message;
 * fields that libraries add (a failing row's `detail`, a response's body) are left out altogether.
 */
export function scrub(error: unknown): ScrubbedError {
  if (!(error instanceof Error)) return { name: typeof error, message: '', at: [] }
  const code = 'code' in error && isWord(error.code) ? { code: String(error.code) } : {}
  const cause = error.cause === undefined ? {} : { cause: scrub(error.cause) }
  return { name: error.name, ...code, message: scrubText(error.message), at: placesOf(error), ...cause }
}

/** The first line alone: what follows quotes the text that was at fault. A long line does, too, and takes long to search. */
function scrubText(text: string): string {
  const [line = ''] = text.split('\n', 1)
  if (line.length > lineMax) return `(${line.length} characters)`
  return values.reduce((rest, value) => rest.replace(value, '…'), line)
}

/** The stack without its head, which repeats the message. */
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
