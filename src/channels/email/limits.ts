/** Limits of a mail. */
export const emailLimits = {
  /** Gmail clips a message at 102 KB of HTML, and with it the unsubscribe link. */
  htmlBytes: 100_000,
  linkUnits: 2_000,
  /** Maximum length of a subject; mail lists show no more, so a longer one is cut. */
  subjectUnits: 200,
} as const
