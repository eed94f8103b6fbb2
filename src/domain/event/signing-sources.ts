/** Secrets of signing keys by key id. A producer may have two while it rotates them. */
export type SigningKeys = ReadonlyMap<string, string>

/** The sources whose events a signing key may raise, by key id. A key that is not named may raise every source. */
export type SigningSources = ReadonlyMap<string, ReadonlySet<string>>

/** Whether a signing key may raise events of this source. */
export function mayRaise(sources: SigningSources, keyId: string, source: string): boolean {
  return sources.get(keyId)?.has(source) ?? true
}

/** Whether an operator has named a key for this source: every unit may bind its events then. */
export function isOpen(sources: SigningSources, source: string): boolean {
  return [...sources.values()].some((named) => named.has(source))
}

/** The signing keys that may not raise events of this source. */
export function keysBarredFrom(sources: SigningSources, source: string): string[] {
  return [...sources.keys()].filter((keyId) => !mayRaise(sources, keyId, source))
}
