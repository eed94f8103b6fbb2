import { LRUCache } from 'lru-cache'

/**
 * The same function, which keeps what it has read last, of texts of up to `lengthMax` characters together. What it throws
 * is not kept.
 */
export function keptByText<Read extends object>(
  lengthMax: number,
  read: (text: string) => Read,
): (text: string) => Read {
  const kept = new LRUCache<string, Read>({
    maxSize: lengthMax,
    sizeCalculation: (_value, text) => text.length + 1,
    memoMethod: (text) => read(text),
  })
  return (text) => kept.memo(text)
}
