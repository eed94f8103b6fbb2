/** The smallest id (UUIDv7) of a moment (ms since the epoch). */
export function uuidLowerBound(moment: number): string {
  const hex = Math.max(0, moment).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The moment (ms since the epoch) at which an id (UUIDv7) was made. */
export function momentOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}
