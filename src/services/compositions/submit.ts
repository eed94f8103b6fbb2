import type { CreateMessage } from '../../contract/messages/create.ts'
import type { Composition } from '../../db/queries/composition/composition.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { submitMessage } from '../messages/submit.ts'
import { type TestOutcome, testSendEverywhere } from '../messages/test-send.ts'
import { sameAs, writtenIn } from './compositions.ts'
import { keepDraft } from './draft.ts'

type CompositionRef = Pick<Composition, 'id' | 'version'>

/**
 * Makes a message of what is written, and submits it; what was written is then ended. Pressed twice, it makes one message.
 * Returns its id. `organisers`: who is to read the answers.
 * @throws ServiceError invalid_transition if another version is stored than the one that was shown, and what create, edit
 *   and submit throw about the body: the draft is kept, and the next press changes it
 */
export async function submitComposition(
  services: Services,
  principal: PersonPrincipal,
  ref: CompositionRef,
  { body, organisers }: { body: CreateMessage; organisers: string[] },
): Promise<string> {
  const stored = await sameAs(services, principal, ref)
  const messageId = await keepDraft(services, principal, stored, body)
  await submitMessage(services, principal, messageId, { organisers }, writtenIn(stored))
  return messageId
}

/**
 * Sends what is written to its author alone on every channel, as a draft of which nothing else becomes yet.
 * @throws ServiceError invalid_transition if another version is stored, and what create, edit and `testSendEverywhere` throw
 */
export async function testComposition(
  services: Services,
  principal: PersonPrincipal,
  ref: CompositionRef,
  body: CreateMessage,
): Promise<TestOutcome[]> {
  const stored = await sameAs(services, principal, ref)
  return testSendEverywhere(services, principal, await keepDraft(services, principal, stored, body))
}
