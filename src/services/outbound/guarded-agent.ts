import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { type AllowedTarget, isAllowedTarget } from '../../domain/allowed-target.ts'
import { bareHost, isPrivateLiteral, isPublic } from './address.ts'

/** Resolves all addresses of a host, as `dns.lookup` with `all`. Tests pass their own. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** A call to an address that is not public. */
export class AddressRefusedError extends Error {
  constructor() {
    super('The address is not public')
    this.name = 'AddressRefused'
  }
}

const connectTimeoutMs = 5_000

/**
 * Connects only to public addresses and to the targets of `allow`. undici calls no `lookup` for an IP address in the
 * URL, so that is checked first. A host is resolved once, all its addresses are checked, and the connection goes to one
 * of them, which defeats DNS rebinding.
 */
export function guardedAgent(allow: readonly AllowedTarget[], resolve: Resolve = lookup): Agent {
  const open = buildConnector({ timeout: connectTimeoutMs })
  const guarded = buildConnector({ timeout: connectTimeoutMs, lookup: publicOnly(resolve) })
  return new Agent({
    connect(options, done) {
      const host = bareHost(options.hostname)
      const { protocol, port } = options
      if (isAllowedTarget(allow, { protocol, host, port })) return open(options, done)
      if (isPrivateLiteral(host)) return done(new AddressRefusedError(), null)
      return guarded(options, done)
    },
  })
}

/** Rejects a host if any of its addresses is not public. */
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
