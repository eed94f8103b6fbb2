import ipaddr from 'ipaddr.js'

/** Public addresses at which a cloud serves metadata to its machines. */
const metadata = ['168.63.129.16']
/** The global unicast range of IPv6 (RFC 4291); excludes loopback, private, mapped and translated addresses. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an address is public: not of this machine or a network behind it, not one that embeds another address
 * (mapped, NAT64, 6to4, Teredo), not reserved (IANA special-purpose registries).
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || metadata.includes(parsed.toString())) return false
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}

/** The host of a URL, without the brackets of an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Whether a host is an IP address that is not public. */
export function isPrivateLiteral(host: string): boolean {
  return ipaddr.isValid(host) && !isPublic(host)
}
