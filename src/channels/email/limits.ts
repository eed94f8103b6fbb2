/** What a mail may be. */
export const emailLimits = {
  /** The largest web mail cuts a message off at 102 KB of HTML, and with it the way to unsubscribe. */
  htmlBytes: 100_000,
  linkUnits: 2_000,
  /** Characters of a subject; what is longer no list shows, and it is cut. */
  subjectUnits: 200,
} as const
