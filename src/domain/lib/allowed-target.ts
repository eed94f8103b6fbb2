/**
 * A host that callbacks may call although it is private or has no TLS. `port` null: only the port that belongs to the
 * scheme, 443 for https and 80 for http (docs/design/operating.md).
 */
export type AllowedTarget = { host: string; port: number | '*' | null }

/**
 * Reads `host`, `host:port` or `host:*`. An IPv6 address stands in brackets where a port follows. Undefined for
 * anything else: a wildcard in the host, a scheme, a path.
 */
export function readAllowedTarget(text: string): AllowedTarget | undefined {
  const host = readHost(text)
  if (host !== undefined) return { host, port: null }
  const [, before = '', port = ''] = /^(.*):(\*|\d{1,5})$/.exec(text) ?? []
  const target = readHost(before)
  if (target === undefined) return undefined
  if (port === '*') return { host: target, port }
  return Number(port) >= 1 && Number(port) <= 65_535 ? { host: target, port: Number(port) } : undefined
}

/** Whether one of the targets is this host and port. `host` is as in a URL, without brackets. */
export function isAllowedTarget(
  targets: readonly AllowedTarget[],
  { protocol, host, port }: { protocol: string; host: string; port: string },
): boolean {
  const usual = protocol === 'https:' ? 443 : 80
  const called = port === '' ? usual : Number(port)
  return targets.some(
    (target) => target.host === host && (target.port === '*' || (target.port ?? usual) === called),
  )
}

/** A host in the spelling of a URL, without the brackets of an IPv6 address. */
function readHost(text: string): string | undefined {
  const bracketed = isBareIpv6(text) ? `[${text}]` : text
  if (!/^(\[[0-9a-f:.]+\]|[^\s:/?#@*[\]\\]+)$/i.test(bracketed)) return undefined
  const url = `http://${bracketed}/`
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : undefined
}

/** Whether this is an IPv6 address without brackets: it has two colons or more. */
function isBareIpv6(text: string): boolean {
  return /^[0-9a-f:.]*$/i.test(text) && text.split(':').length > 2
}
