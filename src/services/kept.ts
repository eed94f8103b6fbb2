import { LRUCache } from 'lru-cache'

/** How many values are kept at most. */
const most = 1_000

/** Reads a value, or gives the one that was read for this key before. */
export type Kept<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>

/**
 * Keeps what was read for so long (ms), in this process: for what is read again and again, and may be that old. Whoever
 * asks meanwhile waits for the same reading; one that fails is not kept.
 */
export function createKept<Value extends object>(forMs: number): Kept<Value> {
  const values = new LRUCache<string, Value, () => Promise<Value>>({
    max: most,
    ttl: forMs,
    fetchMethod: (_key, _old, { context: read }) => read(),
  })
  return async (key, read) => (await values.fetch(key, { context: read }))!
}
