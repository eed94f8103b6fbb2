/** The origins by which an endpoint for this address may be registered: its own, and that of every port of its host. */
export function lookupOrigins(url: string): string[] {
  const { origin, protocol, hostname } = new URL(url)
  return [origin, `${protocol}//${hostname}:*`]
}
