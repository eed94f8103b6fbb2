/** A text property of any value; null if it has none. */
export function textIn(value: unknown, name: string): string | null {
  const found = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof found === 'string' ? found : null
}
