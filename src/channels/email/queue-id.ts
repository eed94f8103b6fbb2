/** The formats of well-known servers: Postfix and SendGrid, Exim, Amazon SES. None contains an @. */
const patterns = [
  /\bqueued as ([\w.-]{4,100})(?![\w@.-])/i,
  /\bid=([\w.-]{4,100})(?![\w@.-])/,
  /^250 ok ([\w.-]{4,100})$/i,
]

/** The server's id of an accepted mail, for tracing it there. An address that the reply repeats is never returned. */
export function queueId(reply: string): string | undefined {
  return patterns.map((pattern) => pattern.exec(reply)?.[1]).find((found) => found !== undefined)
}
