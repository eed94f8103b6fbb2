/** Whether Postgres can store a text: JSON also allows NUL characters and lone surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}
