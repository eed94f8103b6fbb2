import { findUnit } from '../../../db/queries/identity/unit.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import { startComposition } from '../../../services/compositions/compositions.ts'
import { readDraft } from '../../../services/compositions/draft.ts'
import type { Services } from '../../../services/context.ts'
import { orNotFound } from '../../../services/unit-access.ts'
import { newKey, withKeys } from './form/keys.ts'
import { formOfMessage } from './form/message-body.ts'
import { organisersField } from './form/parse-form.ts'

/**
 * Goes on writing a draft, in a form that is filled with it. Returns the id of what is written.
 * @throws ServiceError what `readDraft` and `startComposition` throw
 */
export async function writeOnDraft(
  services: Services,
  principal: PersonPrincipal,
  messageId: string,
): Promise<string> {
  const { unitId, body, organisers } = await readDraft(services, principal, messageId)
  const { timeZone } = orNotFound(await findUnit(services.db, unitId), 'unit')
  const named = organisers.map((id): [string, string] => [`${organisersField}[]`, id])
  const form = withKeys([...formOfMessage(body, timeZone), ...named], newKey())
  const changes = { messageId, templateId: null, patternId: null }
  return startComposition(services, principal, { unitId, kind: 'message', ...changes, form })
}
