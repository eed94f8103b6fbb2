import type { OwnKey } from '../../contract/identity/own-key.ts'
import { findKey } from '../../db/queries/identity/key.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import type { ProducerPrincipal } from '../../domain/rights/principal.ts'
import { toProducerKey } from '../admin/keys.ts'
import type { Services } from '../context.ts'

/** The key that calls, and its unit. Neither is ever deleted, and authentication has just found both. */
export async function getOwnKey(
  { db }: Pick<Services, 'db'>,
  { keyId, unitId }: ProducerPrincipal,
): Promise<Omit<OwnKey, 'limits'>> {
  const [key, unit] = await Promise.all([findKey(db, keyId), findUnit(db, unitId)])
  const { unitId: _unitId, revokedAt: _revokedAt, ...rights } = toProducerKey(key!)
  const { id, name, kind, timeZone } = unit!
  return { ...rights, unit: { id, name, kind, timeZone } }
}
