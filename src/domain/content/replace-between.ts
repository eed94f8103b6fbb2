/**
 * A text in which each stretch from an opening to the nearest closing behind it, both included, becomes what `replace`
 * makes of it. An opening without a closing stays. Each character is looked at once, while an expression such as
 * `{{.*?}}` looks from every opening that has no closing to the end of the text.
 */
export function replaceBetween(
  text: string,
  [open, close]: readonly [open: string, close: string],
  replace: (stretch: string) => string,
): string {
  const pieces: string[] = []
  let rest = 0
  for (let from = text.indexOf(open); from !== -1; from = text.indexOf(open, rest)) {
    const to = text.indexOf(close, from + open.length)
    if (to === -1) break
    pieces.push(text.slice(rest, from), replace(text.slice(from, to + close.length)))
    rest = to + close.length
  }
  return [...pieces, text.slice(rest)].join('')
}
