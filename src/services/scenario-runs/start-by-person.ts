import type { Layer } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { Trx } from '../../db/connect.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import type { WebhookEvent } from '../../db/queries/event/webhook.ts'
import { findScenarioInForce } from '../../db/queries/scenario/scenario.ts'
import { type AnsweredRun, insertScenarioAnswer } from '../../db/queries/scenario-run/answer.ts'
import { endRuns } from '../../db/queries/scenario-run/end.ts'
import { repeatTurn } from '../../db/queries/scenario-run/repeat-turn.ts'
import {
  hasMoreOpenRuns,
  insertRuns,
  lockOpenRuns,
  type NewRuns,
} from '../../db/queries/scenario-run/start.ts'
import { insertStart } from '../../db/queries/scenario-run/start-call.ts'
import {
  findOwnStart,
  findReader,
  findTriggered,
  hasStarted,
  isBusy,
  uidOf,
} from '../../db/queries/scenario-run/trigger.ts'
import { withSavepoint } from '../../db/savepoint.ts'
import type { Opening } from '../../db/tables/scenario.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { normaliseText } from '../../domain/lib/normalise-text.ts'
import { recipientActor } from '../../domain/rights/principal.ts'
import type { QuestionOption } from '../../domain/scenario/question.ts'
import { defaultsOf } from '../../domain/scenario/start-variables.ts'
import { type ChatEnding, plainReply } from '../recipients/acknowledge.ts'
import { type ToldRun, telling } from '../wake-scenario-runs.ts'
import { peopleOf, type Startable } from './start-rules.ts'

/**
 * Who starts, and by which event of the chat, if by one. `unitId`: of what they tapped; null: any. `leaving`: the run whose
 * button it is, which is ended at any age.
 */
type PersonStart = {
  unitId: string | null
  subjectId: string
  webhookEventId: string | null
  leaving?: string
  /** They start it on a page behind a link, and have chosen this there; null: nothing. */
  page?: { opening: Opening | null }
}

/** Seconds in which a follow starts the same scenario once. */
const onceFollowed = 86_400

/** Seconds in which what nothing takes is answered once. */
const onceAnswered = 3_600

/** Seconds in which a keyword that begins a conversation again is taken for the same text sent twice. */
const sentTwice = 10

/** Starts the scenario of a button that a person has tapped. Returns as `startByPerson` does. */
export async function startByButton(
  trx: Trx,
  start: PersonStart,
  scenario: string,
): Promise<ToldRun[] | null> {
  const scenarioId = idOrNull(scenario)
  return scenarioId === null ? null : startByPerson(trx, start, { scenarioId })
}

/** Starts the scenario whose keyword a person has typed, or says that it takes nobody; null if the text is no keyword. */
export async function startByKeyword(
  trx: Trx,
  event: WebhookEvent,
  subjectId: string,
  text: string,
): Promise<ChatEnding | null> {
  const scenarioId = await findTriggered(trx, `keyword:${normaliseText(text)}`)
  if (scenarioId === undefined) return null
  const last = await findOwnStart(trx, { scenarioId, subjectId })
  if (last?.open && last.seconds < sentTwice) return { outcome: 'repeated' }
  const start = { unitId: null, subjectId, webhookEventId: event.id }
  const wakes = await startByPerson(trx, start, { scenarioId })
  if (wakes) return begun(wakes)
  const reader = await findReader(trx, { scenarioId, subjectId })
  return { outcome: 'not_active', reply: reader ? plainReply(event, reader, { kind: 'not_active' }) : null }
}

/**
 * Starts the scenario that answers what nothing else takes, once an hour for each person, and not while a conversation of
 * theirs is about to go on. Null if there is none, or it cannot start.
 */
export async function startByOther(
  trx: Trx,
  event: WebhookEvent,
  subjectId: string,
): Promise<ChatEnding | null> {
  const scenarioId = await findTriggered(trx, 'otherwise')
  if (await isBusy(trx, subjectId)) return { outcome: 'recorded' }
  if (scenarioId === undefined) return null
  const last = await findOwnStart(trx, { scenarioId, subjectId })
  if (last && last.seconds < onceAnswered) return { outcome: 'recorded' }
  const start = { unitId: null, subjectId, webhookEventId: event.id }
  const wakes = await startByPerson(trx, start, { scenarioId })
  return wakes && begun(wakes)
}

/** The outcome of a start that was not refused. It begins nothing where the conversation has begun within the minute. */
export function begun(wakes: ToldRun[]): { outcome: 'started' | 'repeated'; wakes: ToldRun[] } {
  return { outcome: wakes.length > 0 ? 'started' : 'repeated', wakes }
}

/** Starts the scenario that begins with a follow, once a day for each person. Returns the runs to wake. */
export async function startByFollow(
  trx: Trx,
  { subjectId, webhookEventId }: Omit<PersonStart, 'unitId'>,
): Promise<ToldRun[]> {
  const scenarioId = await findTriggered(trx, 'follow')
  if (scenarioId === undefined) return []
  const last = await findOwnStart(trx, { scenarioId, subjectId })
  if (last && last.seconds < onceFollowed) return []
  return (await startByPerson(trx, { unitId: null, subjectId, webhookEventId }, { scenarioId })) ?? []
}

/**
 * Goes on with a conversation that has ended, by a new run that begins with the answer to one of its questions. Returns it;
 * null if the scenario cannot start with the person now.
 */
export async function startWithAnswer(
  trx: Trx,
  { unitId, subjectId, scenarioId, askedNode: node }: AnsweredRun,
  { option, webhookEventId }: { option: QuestionOption; webhookEventId: string | null },
): Promise<ToldRun[] | null> {
  const target = await findPersonal(trx, { unitId, subjectId, scenarioId })
  if (!target) return null
  const onPage = webhookEventId === null
  const started = await startOne(trx, target, {
    startedBy: recipientActor(subjectId),
    startedByWebhook: null,
    node,
    variables: {},
    layer: 'mandatory',
    jumps: 0,
    jumpedThrough: [],
    spokeAt: 'now',
    onPage,
  })
  const [runId] = started ?? []
  if (runId === undefined) return null
  const { id: optionId, data = null } = option
  await insertScenarioAnswer(trx, { runId, node, optionId, text: null, data, webhookEventId, onPage })
  return telling('started', started ?? [])
}

/**
 * What starts. `jumps`: since the person last said something, and through which scenarios. `spokeAt`: when that was, if it
 * was not by this start. `from`: the run whose jump starts it, and whether the person reads that on a page.
 */
type Begun = {
  scenarioId: string
  jumps?: number
  jumpedThrough?: readonly string[]
  spokeAt?: Date
  variables?: Record<string, unknown>
  from?: { runId: string; onPage: boolean }
}

/**
 * Starts a run because the person wants it: it passes their preferences, as every answer to them, and ends the run of the
 * scenario that they have open, unless that is under a minute old, or waits for a place: it says so again, or says that the
 * person has got one. A webhook event starts once. Returns the runs to wake; null if the scenario cannot start, or not with
 * this person, and then nothing has changed. Locks runs, and then their patterns.
 */
export async function startByPerson(
  trx: Trx,
  { unitId, subjectId, webhookEventId, leaving, page }: PersonStart,
  { scenarioId, jumps = 0, jumpedThrough = [], spokeAt, variables = {}, from }: Begun,
): Promise<ToldRun[] | null> {
  const target = await findPersonal(trx, { unitId, subjectId, scenarioId })
  if (!target) return null
  if (webhookEventId !== null && (await hasStarted(trx, webhookEventId))) return []
  const open = await lockOpenRuns(trx, { scenarioId, subjectId, occasion: '' })
  if (open.some(({ id, young }) => young && id !== leaving)) return []
  const waiting = open.find(({ waits }) => waits)
  if (waiting) {
    await repeatTurn(trx, waiting.id, { jumps, jumpedThrough, spokeAt: spokeAt ?? 'now' })
    return telling('started', [waiting.id])
  }
  const startedBy = recipientActor(subjectId)
  const run: OneRun = {
    startedBy,
    startedByWebhook: webhookEventId,
    jumps,
    jumpedThrough,
    spokeAt: spokeAt ?? 'now',
    variables,
    layer: 'mandatory',
    onPage: page !== undefined || from?.onPage === true,
    opening: page?.opening ?? null,
    jumpedFrom: from?.runId ?? null,
  }
  const start = async () => {
    const started = await startOne(trx, target, run)
    return started && telling('started', started)
  }
  if (open.length === 0) return start()
  return withSavepoint(trx, async () => {
    const ids = open.map(({ id }) => id)
    const { toWake } = await endRuns(trx, { ids }, { state: 'cancelled', reason: 'restarted' })
    const started = await start()
    return started && [...telling('cancelled', toWake), ...started]
  })
}

/** A scenario that can start with a person. */
type Personal = Startable & { uid: string }

/** A scenario that can start, of this unit if one is given; null if it cannot, or the person has gone. */
export async function findPersonal(
  trx: Trx,
  { unitId, subjectId, scenarioId }: { unitId: string | null; subjectId: string; scenarioId: string },
): Promise<Personal | null> {
  const scenario = await findScenarioInForce(trx, scenarioId)
  if (scenario?.state !== 'active' || (unitId !== null && scenario.unitId !== unitId)) return null
  const category = await findCategory(trx, scenario.categoryId)
  const uid = await uidOf(trx, subjectId)
  return category?.enabled && uid !== undefined ? { scenario, category, uid } : null
}

/**
 * A run for one person, beside what its scenario says. `layer`: by which their preferences count. `node`: where it
 * begins; omitted: at the first.
 */
type OneRun = Pick<
  NewRuns,
  | 'startedBy'
  | 'startedByWebhook'
  | 'jumps'
  | 'jumpedThrough'
  | 'spokeAt'
  | 'onPage'
  | 'opening'
  | 'jumpedFrom'
> & {
  variables: Record<string, unknown>
  layer: Layer
  node?: string
}

/**
 * Starts the run of one person who has none open. Returns it; null if they may not be written to, or the unit has no
 * room.
 */
export async function startOne(
  trx: Trx,
  { scenario, category, uid }: Personal,
  { variables, layer, node, ...run }: OneRun,
): Promise<string[] | null> {
  const { id: scenarioId, unitId, version: versionNumber, content } = scenario
  if (await hasMoreOpenRuns(trx, unitId, limits.openRunsPerUnit - 1)) return null
  const values = { ...defaultsOf(content.variables ?? []), ...variables }
  const call = { scenarioId, actor: run.startedBy, idempotencyKey: null, bodyHash: null, variables: values }
  const startId = Object.keys(values).length > 0 ? ((await insertStart(trx, call)) ?? null) : null
  const people = peopleOf(unitId, category, { kind: 'individual', uids: [uid] })
  const { runs } = await insertRuns(trx, {
    scenarioId,
    versionNumber,
    unitId,
    node: node ?? content.nodes[0]!.id,
    // A jump goes on with a conversation that the frequency cap has counted.
    people: { ...people, layer, frequencyCap: null },
    occasion: '',
    startId,
    ...run,
    test: false,
  })
  return runs.length === 0 ? null : runs.flatMap(({ id, created }) => (created ? [id] : []))
}
