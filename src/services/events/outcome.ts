import type { Trx } from '../../db/connect.ts'
import type { BindingInForce } from '../../db/queries/event/binding.ts'
import {
  type EventFailure,
  endEvent,
  type LockedEvent,
  setAcquisition,
} from '../../db/queries/event/event.ts'
import { insertOwnMessage } from '../../db/queries/message/message.ts'
import { findReferences } from '../../db/queries/message/references.ts'
import type { Audience } from '../../domain/audience/audience.ts'
import { mayRaise } from '../../domain/event/signing-sources.ts'
import { eventActor } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { checkAutomatically } from '../messages/approve.ts'
import { renderDraftOf } from '../messages/check-body.ts'
import type { LockedMessage } from '../messages/move.ts'
import { submit } from '../messages/submit.ts'
import { type EventStart, startByEvent } from '../scenario-runs/start-by-event.ts'

/** The message that was created and submitted, the runs that were started, or the reason why there is nothing. */
type EventOutcome =
  | { messageId: string; told: LockedMessage['told'] }
  | { runs: number; waking: string[] }
  | EventFailure

/**
 * Makes the outcome of a locked event and stores it in the event: subjects, binding, template or scenario; then the runs,
 * or the message, its submission and the automatic check, the ledger last (docs/architecture.md, An event, followed
 * through the files).
 * @throws ServiceError, or any other error; the transaction is rolled back
 */
export async function makeOutcome(services: Services, trx: Trx, event: LockedEvent): Promise<EventOutcome> {
  const plan = planFor(services, event)
  if ('error' in plan) {
    await endEvent(trx, event, plan)
    return plan
  }
  return 'start' in plan ? makeRuns(trx, event, plan) : makeMessage(services, trx, event, plan)
}

type MessagePlan = {
  binding: BindingInForce & { template_id: string }
  audience: Audience
  newcomers: string[]
}
type StartPlan = { start: EventStart; newcomers: string[] }

/**
 * The binding and audience of the event; none if its key may not raise its source, or may no longer. The order of the
 * checks decides which error is its outcome.
 */
function planFor({ signingSources }: Services, event: LockedEvent): MessagePlan | StartPlan | EventFailure {
  const binding = mayRaise(signingSources, event.key_id, event.source) ? event.binding : null
  const { uids, newcomers } = event.known
  const query = binding && binding.audience.kind === 'query' ? binding.audience : null
  if (uids.length === 0 && !query) return { error: 'no_subjects', details: null }
  if (!binding) return { error: 'no_binding', details: null }
  const acquired = { newcomers: newcomers > 0 ? uids : [] }
  const { template_id, scenario_id: scenarioId, run_per, category_id: categoryId } = binding
  if (scenarioId !== null)
    return { ...acquired, start: { scenarioId, categoryId, perEvent: run_per === 'event', uids } }
  if (template_id === null) return { error: 'no_template', details: null }
  const audience = query ?? { kind: 'individual' as const, uids }
  return { ...acquired, binding: { ...binding, template_id }, audience }
}

async function makeRuns(
  trx: Trx,
  event: LockedEvent,
  { start, newcomers }: StartPlan,
): Promise<EventOutcome> {
  const started = await startByEvent(trx, event, start)
  if ('error' in started) {
    await endEvent(trx, event, started)
    return started
  }
  const { unitId, runs, waking } = started
  if (newcomers.length > 0) await setAcquisition(trx, newcomers, eventActor(event.source))
  await endEvent(trx, event, { unitId, runs })
  return { runs, waking }
}

async function makeMessage(
  services: Services,
  trx: Trx,
  event: LockedEvent,
  { binding, audience, newcomers }: MessagePlan,
): Promise<EventOutcome> {
  const { unit_id: unitId, category_id: categoryId, template_id: templateId } = binding
  const actor = eventActor(event.source)
  const lookups = await findReferences(trx, { unitId, categoryId, templateId })
  const body = { categoryId, templateId, variables: event.data, audience }
  const { draft, sources } = await renderDraftOf(services, body, lookups)
  if (newcomers.length > 0) await setAcquisition(trx, newcomers, actor)
  const message = {
    ...draft,
    unitId,
    idempotencyKey: null,
    bodyHash: null,
    origin: 'event',
    createdBy: actor,
  } as const
  const locked = await insertOwnMessage(trx, message, { source: event.source, eventId: event.event_id })
  const checked = await submit(services, trx, locked, { principal: null, actor }, sources)
  await checkAutomatically(services, trx, locked, checked)
  return { messageId: locked.message.id, told: locked.told }
}
