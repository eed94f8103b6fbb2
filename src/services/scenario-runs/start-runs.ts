import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { StartedRuns, StartRuns } from '../../contract/scenarios/starts.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { countNamed } from '../../db/queries/audience/count.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import {
  insertRuns,
  lockStarts,
  type OwnVariables,
  type Started,
} from '../../db/queries/scenario-run/start.ts'
import {
  findScenarioOfUnits,
  findStart,
  findUidsOfRuns,
  insertStart,
  keepStartAnswer,
  type StartAnswer,
} from '../../db/queries/scenario-run/start-call.ts'
import { watchStart } from '../../db/queries/scenario-run/start-end.ts'
import type { Audience } from '../../domain/audience/audience.ts'
import { audienceRefusal } from '../../domain/audience/audience-rights.ts'
import { namedPeople, smallnessOf } from '../../domain/audience/small-audience.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import { many } from '../../domain/message/shortfall.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { sha256 } from '../../signing.ts'
import type { Services } from '../context.ts'
import { withCountLimit } from '../count-limit.ts'
import { assertMayAsk, assertMayReach } from '../messages/rights.ts'
import { findInUnits } from '../unit-access.ts'
import { telling, wakeRuns } from '../wake-scenario-runs.ts'
import { assertReach, assertRoom, peopleOf, type Startable, startable, variablesOf } from './start-rules.ts'

/**
 * Starts runs of a scenario for people others than the caller: all who may be written to, or, if a rule refuses, nobody
 * (docs/design/conversations.md). A known key of whichever caller of the unit returns its answer, whatever has
 * become of the scenario; who the people are is shown only to callers who could name them now.
 * @throws ServiceError not_found, forbidden, idempotency_key_required, idempotency_mismatch, invalid_transition,
 *   category_not_allowed, individual_targeting_disabled, audience_dimension_not_allowed, validation_error,
 *   missing_variable, too_many_subjects, too_many_runs, unavailable
 */
export async function startRuns(
  services: Services,
  principal: Principal,
  id: string,
  body: StartRuns,
  idempotencyKey: string | null,
): Promise<StartedRuns> {
  const { db } = services
  const { id: scenarioId, unitId } = await findInUnits(db, principal, id, 'scenario', findScenarioOfUnits)
  assertMayAsk(principal, 'create', unitId)
  const call = { scenarioId, idempotencyKey, bodyHash: sha256(canonicalJson(body)) }
  const audience = audienceOf(body)
  const existing = await findAnswer(db, call)
  if (existing) return toStartedRuns(db, existing, audienceRefusal(principal, audience) === null)
  if (body.audience && idempotencyKey === null)
    throw new ServiceError('idempotency_key_required', 'Send an Idempotency-Key header with an audience.')

  const target = await startable(db, scenarioId)
  assertMayReach(principal, target.category.id, audience)
  await assertSize(db, target, audience)
  const { variables, own } = valuesOf(target, body)
  const ids = await db.transaction().execute(async (trx) => {
    await lockStarts(trx, unitId)
    const startId = await insertStart(trx, { ...call, actor: actorOf(principal), variables })
    const actor = actorOf(principal)
    return startId === undefined
      ? null
      : startChecked(trx, principal, target, { startId, audience, own, actor })
  })
  if (ids) wakeRuns(services, telling('started', ids.started))
  // Without ids, a concurrent request with the same key has committed: its answer is this one's.
  return toStartedRuns(db, ids ? ids.answer : (await findAnswer(db, call))!, true)
}

/** The values of a start: those of all people, and by uid those that differ between them. */
function valuesOf(
  { scenario: { content, autoApproved } }: Startable,
  { subjectUids = [], variables: values = {}, variablesByUid = {} }: StartRuns,
): { variables: Record<string, unknown>; own: OwnVariables } {
  const declared = content.variables ?? []
  const rule = { declaredOnly: !autoApproved }
  const names = new Set(Object.values(variablesByUid).flatMap(Object.keys))
  if (names.size === 0) return { variables: variablesOf(declared, values, rule), own: {} }
  const checked = subjectUids.map((uid, index) => ({
    uid,
    values: variablesOf(declared, { ...values, ...variablesByUid[uid] }, rule, { place: index + 1 }),
  }))
  return {
    variables: pick(checked[0]!.values, (name) => !names.has(name)),
    own: Object.fromEntries(checked.map(({ uid, values }) => [uid, pick(values, (name) => names.has(name))])),
  }
}

function pick(values: Record<string, unknown>, isPicked: (name: string) => boolean): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isPicked(name)))
}

async function findAnswer(
  db: Db,
  call: { scenarioId: string; idempotencyKey: string | null; bodyHash: Buffer },
): Promise<StartAnswer | null> {
  const { scenarioId, idempotencyKey, bodyHash } = call
  const existing = idempotencyKey === null ? undefined : await findStart(db, { scenarioId, idempotencyKey })
  if (!existing) return null
  if (existing.bodyHash === null || !bodyHash.equals(existing.bodyHash))
    throw new ServiceError(
      'idempotency_mismatch',
      'This Idempotency-Key was used with a different body. Use a new key for a new start.',
      { id: existing.id },
    )
  return existing.answer
}

function audienceOf({ subjectUids, audience }: StartRuns): Audience {
  return audience ?? { kind: 'individual', uids: subjectUids ?? [] }
}

/**
 * Checks whom a start names: an audience only for a version that a person approved, and not too many people.
 * @throws ServiceError forbidden, too_many_subjects, unavailable if the unit has too many counts running
 */
export async function assertSize(db: Db, { scenario }: Startable, audience: Audience): Promise<void> {
  if (audience.kind !== 'individual' && scenario.autoApproved)
    throw new ServiceError(
      'forbidden',
      'This version was not approved by a person, so it accepts no audience. Send a message whose button ' +
        'starts it, or let an approver approve a version.',
    )
  const most = limits.subjectsPerStart
  const { unitId } = scenario
  const people =
    audience.kind === 'individual'
      ? audience.uids.length
      : await withCountLimit(unitId, () => countNamed(db, { unitId, audience }, most + 1))
  if (people <= most) return
  throw new ServiceError(
    'too_many_subjects',
    `A start names at most ${most.toLocaleString('en')} people. Start fewer at a time, or send a message whose button ` +
      'starts the scenario.',
  )
}

/** `own`: the values of single people. */
type CheckedStart = { startId: string; audience: Audience; own?: OwnVariables; actor: string }

/**
 * Starts the runs of a call that was checked and inserted, under `lockStarts`. `actor`: who starts them, for a caller with
 * these rights. Returns those to be woken, and the answer.
 * @throws ServiceError too_many_runs, forbidden, individual_targeting_disabled; the transaction must be rolled back
 */
export async function startChecked(
  trx: Trx,
  principal: Principal,
  target: Startable,
  { startId, audience, own = {}, actor }: CheckedStart,
): Promise<{ started: string[]; answer: StartAnswer }> {
  const { scenario, category } = target
  const { id: scenarioId, unitId, version: versionNumber, content } = scenario
  const outcome = await insertRuns(trx, {
    scenarioId,
    versionNumber,
    unitId,
    node: content.nodes[0]!.id,
    people: peopleOf(unitId, category, audience),
    occasion: '',
    startId,
    own,
    startedBy: actor,
    startedByWebhook: null,
    jumps: 0,
    jumpedThrough: [],
    spokeAt: null,
    test: false,
  })
  const started = outcome.runs.flatMap(({ id, created, queued }) => (created && !queued ? [id] : []))
  await assertRoom(trx, unitId)
  await assertReach(trx, target)
  const answer = answerOf(audience, outcome)
  const targeted = await targetedBy(trx, principal, unitId, audience, answer)
  await keepStartAnswer(trx, startId, answer)
  if (answer.started >= many) await watchStart(trx, startId)
  const about = { unitId, actor, objectKind: 'scenario', objectId: scenarioId } as const
  if (targeted > 0)
    await insertAudit(trx, { ...about, action: 'individual_targeting', details: { count: targeted } })
  const details = { version: versionNumber, started: answer.started, alreadyRunning: answer.alreadyRunning }
  await insertAudit(trx, { ...about, action: 'start_runs', details })
  return { started, answer }
}

function answerOf(audience: Audience, { runs, ...others }: Started): StartAnswer {
  const named = namedPeople({ total: runs.length, ...others })
  const started = runs.filter(({ created }) => created).length
  const individual = audience.kind === 'individual'
  return {
    items: individual ? runs.map(({ id, created }) => ({ id, created })) : null,
    started,
    unknownUids: individual ? audience.uids.length - named : 0,
    alreadyRunning: runs.length - started,
    ...others,
  }
}

/**
 * How many individuals a start targets: those it names, or those of a small audience of the unit's own lists, which nobody
 * approves here, so that sessions have no right to it (docs/design/audiences.md). 0: it is a broadcast.
 * @throws ServiceError individual_targeting_disabled
 */
async function targetedBy(
  trx: Trx,
  principal: Principal,
  unitId: string,
  audience: Audience,
  { started, alreadyRunning, ...others }: StartAnswer,
): Promise<number> {
  if (audience.kind === 'individual') return audience.uids.length
  const people = { ...others, total: started + alreadyRunning }
  const unit = await findUnit(trx, unitId)
  if (!unit || smallnessOf(audience, unit.kind, people) !== 'targeting') return 0
  if (principal.kind === 'producer' && principal.individualTargeting) return namedPeople(people)
  throw new ServiceError(
    'individual_targeting_disabled',
    `This audience uses the unit's own lists and names fewer than ${limits.smallestAudience} people, which is individual ` +
      'targeting. Widen it, send a message whose button starts the scenario, or use a key with individual targeting.',
  )
}

/** Replaces the uid of a person who has been erased since, as in the audience of a message. */
const erased = 'erased subject'

/** `names`: with the uids of the people. */
async function toStartedRuns(
  db: Db,
  { items, ...numbers }: StartAnswer,
  names: boolean,
): Promise<StartedRuns> {
  if (items === null) return numbers
  if (!names) return { items, ...numbers }
  const uids = await findUidsOfRuns(
    db,
    items.map(({ id }) => id),
  )
  return { items: items.map((item) => ({ ...item, uid: uids.get(item.id) ?? erased })), ...numbers }
}
