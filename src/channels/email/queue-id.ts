/**
 * The server's own name for a mail it took, for asking it later. Read only where a well-known server writes it, and
 * never anything with an @: a reply may repeat the address.
 */
export function queueId(reply: string): string | undefined {
  const found =
    /(?:queued as|queued mail for delivery|\bid[ =:]|\bok:?)\s*:?\s*<?([\w.+-]{4,100})(?![\w@])/i.exec(reply)
  return found?.[1]
}
