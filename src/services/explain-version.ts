/** Why a version cannot be decided about: it is not the newest, or not open. `shown`: the one that the caller names. */
export function explainVersion(
  what: string,
  { version, state }: { version: number; state: string },
  shown: number | undefined,
): string {
  const newest = `the newest version of the ${what} is ${version}, and it is ${state}`
  if (shown === undefined || shown === version)
    return `${newest}. Only a version that waits can be decided about.`
  if (shown > version) return `there is no version ${shown}: ${newest}. Get it again, then retry.`
  return `version ${shown} is not the newest: ${newest}. Get it again, then retry.`
}
