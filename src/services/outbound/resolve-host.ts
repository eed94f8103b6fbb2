import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'

/** Resolves all addresses of a host; throws if it has none, or the name servers do not answer in time. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>

/** Timeout of one question to one name server, and of a whole look-up (ms). */
const questionMs = 1_500
const lookupMs = 4_000

/**
 * Asks the name servers of this machine, or `servers`, with a deadline. `dns.lookup` would do so on one of the four
 * threads that the process also reads files with, for as long as the system waits: four names whose servers do not
 * answer would hold up all of it. It also reads the hosts file, which names no public address.
 */
export function hostResolver(servers?: readonly string[]): Resolve {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: questionMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    const deadline = setTimeout(() => resolver.cancel(), lookupMs)
    const results = await Promise.allSettled([
      resolver.resolve4(hostname).then((list) => list.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(hostname).then((list) => list.map((address) => ({ address, family: 6 }))),
    ])
    clearTimeout(deadline)
    const addresses = results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (addresses.length === 0) throw new Error('The host has no address')
    return addresses
  }
}
