/** A moment as it crosses the wire, ISO 8601; null stays null. */
export function toInstant(at: Date | null): string | null {
  return at?.toISOString() ?? null
}

/** The same of what comes from a row, or from JSON as Postgres writes it. */
export function toUtc(at: Date | string): string {
  return new Date(at).toISOString()
}
