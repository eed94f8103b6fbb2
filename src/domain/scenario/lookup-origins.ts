/**
 * The origins by which an endpoint for this address may be registered: its own, and for the own machine also that without
 * a port, which stands for every port of it.
 */
export function lookupOrigins(url: string): string[] {
  const { origin, protocol, hostname } = new URL(url)
  return hostname === '127.0.0.1' ? [origin, `${protocol}//${hostname}`] : [origin]
}
