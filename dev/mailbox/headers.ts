import { decodeWords } from 'postal-mime'

/** Headers by lower-case name; repeated headers have a list. Values are unfolded and otherwise unchanged. */
export type Headers = Record<string, string | string[]>

const headEnd = Buffer.from('\r\n\r\n')

/** Parses the headers of a mail. */
export function readHeaders(raw: Buffer): Headers {
  const end = raw.indexOf(headEnd)
  const lines = raw
    .toString('utf8', 0, end < 0 ? raw.length : end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers: Headers = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const name = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    const before = headers[name]
    headers[name] = before === undefined ? value : [before, value].flat()
  }
  return headers
}

/** A header in readable form; empty if missing. */
export function readable(headers: Headers, name: string): string {
  return decodeWords([headers[name] ?? ''].flat()[0]!)
}
