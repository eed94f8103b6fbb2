/**
 * When a mail server is not believed about recipients: a directory that is down knows nobody, and one that has blocked the
 * sender refuses everybody (docs/design/provider-outcomes.md).
 */

/** How many of the newest recipients at a server are looked at. */
export const recentRecipients = 64
const doubtful = { refused: 10, share: 1 / 5 }
/** How often a doubted server is asked, with one address. */
export const probeServerEveryMs = 60_000
/** After this long a doubted server is believed, so that a list that is really dead ends. */
export const believedAfterMs = 24 * 3_600_000

/** One recipient at a server: when the server refused it; null: taken. */
export type Verdict = Date | null

/** The newest verdicts, with those of one more try. */
export function withNewest(recent: Verdict[], verdicts: Verdict[]): Verdict[] {
  return [...recent, ...verdicts].slice(-recentRecipients)
}

/** How many of these recipients were refused. */
export function countRefused(recent: Verdict[]): number {
  return recent.filter((verdict) => verdict !== null).length
}

/** Whether so many of the newest recipients were refused that the server is in trouble, not they. */
export function isDoubtful(recent: Verdict[]): boolean {
  const refused = countRefused(recent)
  return refused >= doubtful.refused && refused > recent.length * doubtful.share
}

/** When the first of these refusals was given. */
export function firstRefusal(recent: Verdict[]): Date | undefined {
  return recent.find((verdict) => verdict !== null) ?? undefined
}
