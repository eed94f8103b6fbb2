import { limits } from '../../contract/limits.ts'
import type { Trx } from '../../db/connect.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import type { WebhookEvent } from '../../db/queries/event/webhook.ts'
import { endRuns } from '../../db/queries/scenario/end.ts'
import { findScenarioInForce } from '../../db/queries/scenario/scenario.ts'
import { hasMoreOpenRuns, insertRuns, lockOpenRuns } from '../../db/queries/scenario/start.ts'
import { insertStart } from '../../db/queries/scenario/start-call.ts'
import { findTriggered, hasStarted, hasStartedWithin, uidOf } from '../../db/queries/scenario/trigger.ts'
import { recipientActor } from '../../domain/principal.ts'
import { folded } from '../../domain/scenario/question.ts'
import { defaultsOf } from '../../domain/scenario/start-variables.ts'
import { idOrNull } from '../validation-error.ts'
import type { ChatEnding } from '../webhooks/chat.ts'
import { peopleOf } from './start-rules.ts'

/** Who starts, and by which event of the chat, if by one. `unitId`: of what they tapped; null: any. */
export type PersonStart = { unitId: string | null; subjectId: string; webhookEventId: string | null }

/** Seconds in which a person starts the same scenario by a trigger once. */
const onceIn = { keyword: 10, follow: 86_400 }

/** Starts the scenario of a button that a person has tapped. Returns as `startByPerson` does. */
export async function startByButton(
  trx: Trx,
  start: PersonStart,
  scenario: string,
): Promise<string[] | null> {
  const scenarioId = idOrNull(scenario)
  return scenarioId === null ? null : startByPerson(trx, start, { scenarioId })
}

/** Starts the scenario whose keyword a person has typed; null if the text is no keyword of an active one. */
export async function startByKeyword(
  trx: Trx,
  event: Pick<WebhookEvent, 'id'>,
  subjectId: string,
  text: string,
): Promise<ChatEnding | null> {
  const scenarioId = await findTriggered(trx, `keyword:${folded(text)}`)
  if (scenarioId === undefined) return null
  if (await hasStartedWithin(trx, { scenarioId, subjectId }, onceIn.keyword)) return { outcome: 'repeated' }
  const wakes = await startByPerson(
    trx,
    { unitId: null, subjectId, webhookEventId: event.id },
    { scenarioId },
  )
  return wakes && { outcome: 'started', wakes }
}

/** Starts the scenario that begins with a follow, once a day for each person. Returns the runs to wake. */
export async function startByFollow(
  trx: Trx,
  { subjectId, webhookEventId }: Omit<PersonStart, 'unitId'>,
): Promise<string[]> {
  const scenarioId = await findTriggered(trx, 'follow')
  if (scenarioId === undefined) return []
  if (await hasStartedWithin(trx, { scenarioId, subjectId }, onceIn.follow)) return []
  return (await startByPerson(trx, { unitId: null, subjectId, webhookEventId }, { scenarioId })) ?? []
}

/** What starts. `jumps`: since the person last said something. `variables`: those to take along. */
export type Begun = { scenarioId: string; jumps?: number; variables?: Record<string, unknown> }

/**
 * Starts a run because the person wants it: it passes their preferences, as every answer to them, and ends the run of the
 * scenario that they have open, unless that is under a minute old. A webhook event starts once. Returns the runs to wake;
 * null if the scenario cannot start, or not with this person. Locks runs only.
 */
export async function startByPerson(
  trx: Trx,
  { unitId, subjectId, webhookEventId }: PersonStart,
  { scenarioId, jumps = 0, variables = {} }: Begun,
): Promise<string[] | null> {
  const scenario = await findScenarioInForce(trx, scenarioId)
  if (scenario?.state !== 'active' || (unitId !== null && scenario.unitId !== unitId)) return null
  const category = await findCategory(trx, scenario.categoryId)
  const uid = await uidOf(trx, subjectId)
  if (!category?.enabled || uid === undefined) return null
  if (webhookEventId !== null && (await hasStarted(trx, webhookEventId))) return []
  const open = await lockOpenRuns(trx, { scenarioId, subjectId, occasion: '' })
  if (open.some(({ young }) => young)) return []
  const ids = open.map(({ id }) => id)
  const ended = await endRuns(trx, { ids }, { state: 'cancelled', reason: 'restarted' })
  if (await hasMoreOpenRuns(trx, scenario.unitId, limits.openRunsPerUnit - 1)) return null

  const { version: versionNumber, content } = scenario
  const startedBy = recipientActor(subjectId)
  const values = { ...defaultsOf(content.variables ?? []), ...variables }
  const call = { scenarioId, actor: startedBy, idempotencyKey: null, bodyHash: null, variables: values }
  const startId = Object.keys(values).length > 0 ? ((await insertStart(trx, call)) ?? null) : null
  const people = peopleOf(scenario.unitId, category, { kind: 'individual', uids: [uid] })
  const { runs } = await insertRuns(trx, {
    ...{ scenarioId, versionNumber, unitId: scenario.unitId, node: content.nodes[0]!.id },
    people: { ...people, layer: 'mandatory' },
    ...{ occasion: '', startId, startedBy, startedByWebhook: webhookEventId, jumps, test: false },
  })
  const started = runs.flatMap(({ id, created }) => (created ? [id] : []))
  return runs.length === 0 && ended.length === 0 ? null : [...ended, ...started]
}
