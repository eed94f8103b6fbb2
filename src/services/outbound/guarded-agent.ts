import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { bareHost, isPrivateLiteral, isPublic } from './address.ts'

/** All addresses of a host; `dns.lookup` with `all`. Another one in tests. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** The address is not one that a user may have us call. */
export class AddressRefusedError extends Error {
  constructor() {
    super('The address is not public')
    this.name = 'AddressRefused'
  }
}

const connectTimeoutMs = 5_000

/**
 * Connects only to public addresses, and to the hosts of `allowed`. undici asks no `lookup` about an address that stands
 * in the URL itself, so that is looked at first. A host is resolved once, every one of its addresses is looked at, and
 * the connection is made to one of those: a name that resolves anew to another address gains nothing.
 */
export function guardedAgent(allowed: ReadonlySet<string>, resolve: Resolve = lookup): Agent {
  const open = buildConnector({ timeout: connectTimeoutMs })
  const guarded = buildConnector({ timeout: connectTimeoutMs, lookup: publicOnly(resolve) })
  return new Agent({
    connect(options, done) {
      const host = bareHost(options.hostname)
      if (allowed.has(host)) return open(options, done)
      if (isPrivateLiteral(host)) return done(new AddressRefusedError(), null)
      return guarded(options, done)
    },
  })
}

/** One address that is not public spoils all: an honest name has none. */
function publicOnly(resolve: Resolve): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      if (addresses.length === 0 || !addresses.every(({ address }) => isPublic(address)))
        return done(new AddressRefusedError(), [])
      if (options.all) return done(null, addresses)
      const [first] = addresses
      done(null, first!.address, first!.family)
    })
  }
}
