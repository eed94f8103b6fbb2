import type { EventError } from '../../contract/enums.ts'
import type { Trx } from '../../db/connect.ts'
import { type BindingInForce, findBindingInForce } from '../../db/queries/event/binding.ts'
import { type EventRow, endEvent } from '../../db/queries/event/event.ts'
import { findSubjects, setAcquisition } from '../../db/queries/event/subjects.ts'
import { insertMessage, readNewMessage } from '../../db/queries/message/message.ts'
import { findReferences } from '../../db/queries/message/references.ts'
import type { Audience } from '../../domain/audience.ts'
import { eventActor } from '../../domain/principal.ts'
import { mayRaise } from '../../domain/signing-sources.ts'
import type { Services } from '../context.ts'
import { checkAutomatically } from '../messages/approve.ts'
import { draftOf } from '../messages/create.ts'
import { submit } from '../messages/submit.ts'

/** The message that was created and submitted, or the reason why there is none. */
export type EventOutcome = { messageId: string; approved: boolean } | { error: EventError }

/**
 * Makes the outcome of a locked event and stores it in the event: subjects, binding, template; then the message, its
 * submission and the automatic check, the ledger last (docs/architecture.md, An event, followed through the files).
 * @throws ServiceError, or any other error; the transaction is rolled back
 */
export async function makeOutcome(services: Services, trx: Trx, event: EventRow): Promise<EventOutcome> {
  const plan = await planFor(services, trx, event)
  if ('error' in plan) {
    await endEvent(trx, event, plan)
    return plan
  }
  return makeMessage(services, trx, event, plan)
}

type Plan = { binding: BindingInForce & { template_id: string }; audience: Audience; newcomers: string[] }

/**
 * The binding and audience of the event; none if its key may not raise its source, or may no longer. The order of the
 * checks decides which error is its outcome.
 */
async function planFor(
  { signingSources }: Services,
  trx: Trx,
  event: EventRow,
): Promise<Plan | { error: EventError }> {
  const binding = mayRaise(signingSources, event.key_id, event.source)
    ? await findBindingInForce(trx, event)
    : undefined
  const { uids, newcomers } = await findSubjects(trx, event.subject_uids)
  const query = binding && binding.audience.kind === 'query' ? binding.audience : null
  if (uids.length === 0 && !query) return { error: 'no_subjects' }
  if (!binding) return { error: 'no_binding' }
  const { template_id } = binding
  if (template_id === null) return { error: 'no_template' }
  const audience = query ?? { kind: 'individual' as const, uids }
  return { binding: { ...binding, template_id }, audience, newcomers: newcomers > 0 ? uids : [] }
}

async function makeMessage(
  services: Services,
  trx: Trx,
  event: EventRow,
  { binding, audience, newcomers }: Plan,
): Promise<EventOutcome> {
  const { unit_id: unitId, category_id: categoryId, template_id: templateId } = binding
  const actor = eventActor(event.source)
  const lookups = await findReferences(trx, {
    unitId,
    idempotencyKey: null,
    categoryId,
    templateId,
    topicId: null,
  })
  const draft = draftOf({ categoryId, templateId, variables: event.data, audience }, lookups)
  if (newcomers.length > 0) await setAcquisition(trx, newcomers, actor)
  const messageId = await insertMessage(trx, {
    ...draft,
    unitId,
    idempotencyKey: null,
    bodyHash: null,
    origin: 'event',
    createdBy: actor,
  })
  const locked = await readNewMessage(trx, messageId!)
  await submit(services, trx, locked, { principal: null, actor })
  await endEvent(trx, event, { messageId: messageId!, unitId })
  const { approved } = await checkAutomatically(services, trx, locked)
  return { messageId: messageId!, approved }
}
