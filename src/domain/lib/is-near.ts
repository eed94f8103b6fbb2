/**
 * Whether two names differ by one slip of the keyboard: a letter too many, too few, or another one, or two that changed
 * places.
 */
export function isNear(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1 || long.length < 3) return false
  let from = 0
  while (from < short.length && short[from] === long[from]) from++
  if (short.length < long.length) return short.slice(from) === long.slice(from + 1)
  const rest = short.slice(from + 1) === long.slice(from + 1)
  const swapped =
    short[from] === long[from + 1] &&
    short[from + 1] === long[from] &&
    short.slice(from + 2) === long.slice(from + 2)
  return rest || swapped
}
