import fc from 'fast-check'

/** What callers send who mean harm, or nothing in particular. */
const odd = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    '',
    ' ',
    '%',
    "';--",
    '{{',
    '{% for %}',
    '💥'.repeat(2_000),
    'NaN',
    '-1',
    '1e400',
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, -1, 1e308, [], {}, [[]], [null], { kind: 'all' }, { kind: null }),
)

/** An example with one place, at any depth, replaced by something odd or taken away. */
export function bent(example: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(example)
  return fc
    .tuple(fc.nat(places.length), fc.oneof(odd, fc.constant(undefined)))
    .map(([n, value]) => (n === places.length ? value : replaced(example, places[n]!, value)))
}

function placesIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))]
}

function replaced(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = replaced(copy[key], rest, by)
  return copy
}
