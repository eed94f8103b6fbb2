import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../db/connect.ts'
import { findCredential } from '../../db/queries/identity/key.ts'
import { findPersonPrincipal } from '../../db/queries/identity/session.ts'
import type { Principal } from '../../domain/rights/principal.ts'

/**
 * The principal of an actor, a key or a person, with the rights that they have now.
 * @throws ServiceError invalid_credential if the key has been revoked, forbidden if the person is gone
 */
export async function principalOf(db: Db, actor: string): Promise<Principal> {
  const [kind, id] = actor.split(':') as [string, string]
  if (kind === 'person') {
    const person = await findPersonPrincipal(db, id)
    if (person) return person
    throw new ServiceError(
      'forbidden',
      `The author of this schedule is no longer a person of this installation. ${advice}`,
    )
  }
  const credential = await findCredential(db, id)
  if (credential && !credential.revoked) return credential.principal
  throw new ServiceError('invalid_credential', `The key that wrote this schedule has been revoked. ${advice}`)
}

const advice = 'Change its content with another key, or as an editor of the unit.'
