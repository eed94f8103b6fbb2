import { timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../db/connect.ts'
import { findCredential } from '../../db/queries/identity/key.ts'
import type { ProducerPrincipal } from '../../domain/rights/principal.ts'
import { sha256 } from '../../signing.ts'

/** `hub_<id>_<secret>`, both base62. */
const bearer = /^Bearer +hub_([0-9A-Za-z]{1,64})_([0-9A-Za-z]{1,128})$/i
const emptyDigest = Buffer.alloc(32)

/**
 * The producer behind an Authorization header. Only the SHA-256 of a secret is stored. It is compared in constant time,
 * for unknown ids too, so that the response time does not reveal which ids exist.
 * @throws ServiceError invalid_credential
 */
export async function producerPrincipal(db: Db, authorization: string): Promise<ProducerPrincipal> {
  const [, id, secret] = bearer.exec(authorization) ?? []
  if (id === undefined || secret === undefined)
    throw invalid('It does not have the form Bearer hub_<id>_<secret>.')
  const credential = await findCredential(db, id)
  const digest = sha256(secret)
  const matches = timingSafeEqual(digest, credential?.secretHash ?? emptyDigest)
  if (!credential || !matches || credential.revoked) throw invalid('It does not exist or has been revoked.')
  return credential.principal
}

function invalid(why: string): ServiceError {
  return new ServiceError('invalid_credential', `Invalid producer key. ${why}`)
}
