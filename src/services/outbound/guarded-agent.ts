import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { type AllowedTarget, isAllowedTarget } from '../../domain/lib/allowed-target.ts'
import { bareHost, isPrivateLiteral, isPublic } from './address.ts'
import { hostResolver, type Resolve } from './resolve-host.ts'

/**
 * A call to an address that is not public, or to a host without addresses. It is one error, because a caller that could
 * tell them apart could find out which names exist in the network of this machine.
 */
export class AddressRefusedError extends Error {
  constructor() {
    super('The host has no public address')
    this.name = 'AddressRefused'
  }
}

const connectTimeoutMs = 5_000

/** Opens connections as `guardedConnector` does, for requests of undici. */
export function guardedAgent(allow: readonly AllowedTarget[], resolve?: Resolve): Agent {
  return new Agent({ connect: guardedConnector(allow, { resolve, timeout: connectTimeoutMs }) })
}

/** `timeout` in ms. `allowH2`: whether a server may choose HTTP/2. */
type ConnectorOptions = { resolve?: Resolve | undefined; timeout: number; allowH2?: boolean }

/**
 * Connects only to public addresses and to the targets of `allow`. undici calls no `lookup` for an IP address in the
 * URL, so that is checked first. A host is resolved once for each connection, all its addresses are checked, and the
 * connection goes to one of them, which defeats DNS rebinding.
 */
export function guardedConnector(
  allow: readonly AllowedTarget[],
  { resolve = hostResolver(), ...options }: ConnectorOptions,
): buildConnector.connector {
  const open = buildConnector(options)
  const guarded = buildConnector({ ...options, lookup: publicOnly(resolve) })
  return (target, done) => {
    const { protocol, port } = target
    const host = bareHost(target.hostname)
    if (isAllowedTarget(allow, { protocol, host, port })) return open(target, done)
    if (isPrivateLiteral(host)) return done(new AddressRefusedError(), null)
    return guarded(target, done)
  }
}

/** Rejects a host if it has no address, or one that is not public. */
function publicOnly(resolve: Resolve): LookupFunction {
  return async (hostname, options, done) => {
    const addresses = await resolve(hostname).catch(() => [])
    const [first] = addresses
    if (!first || !addresses.every(({ address }) => isPublic(address)))
      return done(new AddressRefusedError(), [])
    if (options.all) return done(null, addresses)
    done(null, first.address, first.family)
  }
}
