/** Whether a text has the form of an id. Other texts must not reach a uuid column, which rejects them with an error. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

/** An id from a caller, in lower case; null if it is malformed. */
export function idOrNull(reference: string | null | undefined): string | null {
  return reference != null && isId(reference) ? reference.toLowerCase() : null
}
