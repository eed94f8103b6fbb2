/** The number in an If-Match header: `3`, `"3"` or `W/"3"`. */
export function versionIn(ifMatch: string | undefined): number | undefined {
  return ifMatch === undefined ? undefined : Number(ifMatch.replaceAll(/\D/g, ''))
}
