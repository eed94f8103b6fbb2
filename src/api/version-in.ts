/** The number of a version in an address or a form; undefined if it is none. */
export function versionNamed(text: unknown): number | undefined {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

/** The number in an If-Match header: `3`, `"3"` or `W/"3"`. */
export function versionIn(ifMatch: string | undefined): number | undefined {
  return ifMatch === undefined ? undefined : Number(ifMatch.replaceAll(/\D/g, ''))
}
