/**
 * The same function, which keeps what it has read of texts of up to `lengthMax` characters together, and then begins anew.
 * What it throws is not kept.
 */
export function keptByText<Read>(lengthMax: number, read: (text: string) => Read): (text: string) => Read {
  const kept = new Map<string, Read>()
  let length = 0
  return (text) => {
    const existing = kept.get(text)
    if (existing !== undefined) return existing
    const result = read(text)
    if (length + text.length > lengthMax) {
      kept.clear()
      length = 0
    }
    kept.set(text, result)
    length += text.length
    return result
  }
}
