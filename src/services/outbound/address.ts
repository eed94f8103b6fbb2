import ipaddr from 'ipaddr.js'

/** Public addresses at which a cloud's machines find their metadata or their host. */
const metadata = ['168.63.129.16']
/** What of IPv6 is given to anybody (RFC 4291); beside it stand loopback, private, mapped and translated addresses. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an address is somebody's on the internet: not this machine, not a network behind it, nothing that carries
 * another address inside it (mapped, NAT64, 6to4, Teredo), nothing reserved (IANA special-purpose registries).
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || metadata.includes(parsed.toString())) return false
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}

/** The host of a URL: an address stands without the brackets of IPv6. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Whether a host is an address itself, and one that is not public. */
export function isPrivateLiteral(host: string): boolean {
  return ipaddr.isValid(host) && !isPublic(host)
}
