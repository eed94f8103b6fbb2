/**
 * The same function, which keeps what it has read of texts of up to `lengthMax` characters together, and then begins anew.
 * What it throws is not kept.
 */
export function keptByText<Read>(lengthMax: number, read: (text: string) => Read): (text: string) => Read {
  const kept = new Map<string, Read>()
  let length = 0
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    const made = read(text)
    if (length + text.length > lengthMax) {
      kept.clear()
      length = 0
    }
    kept.set(text, made)
    length += text.length
    return made
  }
}
