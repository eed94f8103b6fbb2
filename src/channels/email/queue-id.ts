/** As well-known servers write it: Postfix and Sendgrid, Exim, Amazon SES. Never with an @. */
const ways = [
  /\bqueued as ([\w.-]{4,100})(?![\w@.-])/i,
  /\bid=([\w.-]{4,100})(?![\w@.-])/,
  /^250 ok ([\w.-]{4,100})$/i,
]

/** The server's own name for a mail it took, for asking it later. A reply may repeat the address: that is not taken. */
export function queueId(reply: string): string | undefined {
  return ways.map((way) => way.exec(reply)?.[1]).find((found) => found !== undefined)
}
