/** An instant as the API returns it, in ISO 8601; null stays null. */
export function toInstant(at: Date | null): string | null {
  return at?.toISOString() ?? null
}

/** An instant from a row, or from JSON that Postgres wrote, as the API returns it. */
export function toUtc(at: Date | string): string {
  return new Date(at).toISOString()
}
