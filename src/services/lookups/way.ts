import { type Broken, broken } from '../../contract/rules.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { findLookupEndpoint } from '../../db/queries/lookup/endpoint.ts'
import type { SigningKeys } from '../../domain/event/signing-sources.ts'
import type { Services } from '../context.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { SigningKey } from './look-up.ts'

type Parts = Pick<Services, 'outbound' | 'signingKeys'>

/**
 * How a Lookup of a unit may call an address: with which key, and whether it may send the uid of the person. A rule
 * says why it may not call it.
 */
type LookupWay = { key: SigningKey; sendUid: boolean } | Broken

/**
 * How scenarios of a unit may call an address: an administrator has registered its origin, for them or for all units, and
 * Carillon may reach it. Asked when a scenario is saved, and again before each call.
 */
export async function lookupWay(
  { outbound, signingKeys }: Parts,
  db: Db | Trx,
  unitId: string,
  url: string,
): Promise<LookupWay> {
  const fault = outbound.faultOf(url)
  if (fault !== null) return fault
  const origins = originsOf(url)
  const endpoint = await findLookupEndpoint(db, unitId, origins)
  if (!endpoint) return broken('not_registered', { value: origins[0] })
  const key = signingKeyOf(signingKeys, endpoint.keyId)
  return key ? { key, sendUid: endpoint.sendUid } : broken('unknown_reference', { to: 'endpoint_key' })
}

/** The origin of an address, and the one that stands for every port of its host. */
function originsOf(url: string): [string, string] {
  const { origin, protocol, hostname } = new URL(url)
  return [origin, `${protocol}//${hostname}:*`]
}

/** Why the addresses of an origin, or of every port of a host, cannot be called; null if they can. */
export function faultOfOrigin(outbound: Outbound, origin: string): Broken | null {
  return outbound.faultOf(origin.replace(/:\*$/, ':1'))
}

/** A signing key by id; null: the first one. Undefined if there is none. */
export function signingKeyOf(keys: SigningKeys, keyId: string | null): SigningKey | undefined {
  const [first] = keys
  const secret = keyId === null ? first?.[1] : keys.get(keyId)
  return secret === undefined ? undefined : { id: keyId ?? first![0], secret }
}
