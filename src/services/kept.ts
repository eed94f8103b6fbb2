/** How many values are kept at most; beyond, all are read anew. */
const most = 1_000

/** Reads a value, or gives the one that was read for this key before. */
export type Kept<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>

/** Keeps what was read for so long (ms), in this process: for what is read again and again, and may be that old. */
export function createKept<Value>(forMs: number): Kept<Value> {
  const entries = new Map<string, { at: number; value: Promise<Value> }>()
  return (key, read) => {
    const entry = entries.get(key)
    if (entry && Date.now() - entry.at < forMs) return entry.value
    if (entries.size >= most) entries.clear()
    const value = read()
    entries.set(key, { at: Date.now(), value })
    // What failed is read again.
    value.catch(() => entries.delete(key))
    return value
  }
}
