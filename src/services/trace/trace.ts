import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../db/connect.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import {
  answersOf,
  currentVerdict,
  movesOf,
  type TracedWave,
  wavesFor,
} from '../../db/queries/maintenance/trace.ts'
import { findSubjectNames } from '../../db/queries/subject/subject.ts'
import type { MessageRow } from '../../db/tables.ts'
import { actorView } from '../actor.ts'
import { audienceSpecOf } from '../messages/forecast.ts'
import { idOrNull } from '../validation-error.ts'
import { deliveryEntries } from './delivery.ts'
import { explainSkip, type TraceEntry } from './entry.ts'

/**
 * What happened to one person with one message and why, step by step in plain words. Somebody who was erased is still
 * known by our id.
 * @throws ServiceError not_found
 */
export async function trace(db: Db, messageId: string, named: string): Promise<TraceEntry[]> {
  const message = await messageRow(db, messageId)
  const subjectId = await subjectIdOf(db, named)
  const waves = await wavesFor(db, message.id, subjectId)
  const first = waves.find(({ number }) => number === 0)
  const steps = [
    ...(await movesOf(db, message.id)).map(moveStep),
    ...(first && isWritten(first) ? [] : [await forecastStep(db, message, subjectId)]),
    ...(
      await Promise.all(waves.filter(isWritten).map((wave) => waveSteps(db, message, subjectId, wave)))
    ).flat(),
    ...(await answersOf(db, message.id, subjectId)).map(answerStep),
    ...waves.filter((wave) => wave.number > 0 && wave.state === 'waiting').map(() => reminderStep(message)),
  ]
  return steps.sort((one, other) => timeOf(one) - timeOf(other))
}

/** What is about now comes last. */
function timeOf({ at }: TraceEntry): number {
  return at?.getTime() ?? Number.MAX_SAFE_INTEGER
}

async function messageRow(db: Db, id: string): Promise<MessageRow> {
  const known = idOrNull(id)
  const row = known && (await db.selectFrom('message').selectAll().where('id', '=', known).executeTakeFirst())
  if (!row) throw new ServiceError('not_found', `There is no message ${id}. GET /v1/messages lists them.`)
  return row
}

async function subjectIdOf(db: Db, named: string): Promise<string> {
  const id = idOrNull(named)
  const known = await findSubjectNames(db, { named, id })
  if (known) return known.id
  if (id) return id
  throw new ServiceError('not_found', `There is no subject ${named}. Was the person erased? Then use our id.`)
}

function isWritten(wave: TracedWave): boolean {
  return wave.expected !== null
}

/** Once the message is sent, what is done to it is about its reminder. */
function moveStep(move: Awaited<ReturnType<typeof movesOf>>[number]): TraceEntry {
  const by = actorView(move.actor, move.actor_name).name
  const reminder = move.from_state === 'sent' && move.to_state === 'sent'
  const became = reminder ? ' (the reminder)' : move.to_state ? `, the message is ${move.to_state}` : ''
  return { at: move.at, text: `${move.action} by ${by}${became}${move.reason ? `: ${move.reason}` : ''}` }
}

function reminderStep({ remind_at }: MessageRow): TraceEntry {
  return step(
    `A reminder is due at ${remind_at?.toISOString()}, for those who were told and did not ask for none.`,
  )
}

async function forecastStep(db: Db, message: MessageRow, subjectId: string): Promise<TraceEntry> {
  if (message.closed_at) return step('It ended before anybody was told.', message.closed_at)
  const now = await verdict(db, message, subjectId)
  if (now === 'notNamed')
    return step('Nobody was told yet. As things stand, the audience does not name this person.')
  if (now === null) return step('Nobody was told yet. As things stand, this person will get it.')
  return step(`Nobody was told yet. As things stand, this person will not get it: ${explainSkip(now)}.`)
}

async function verdict(db: Db, message: MessageRow, subjectId: string) {
  const category = (await findCategory(db, message.category_id))!
  const found = await currentVerdict(db, audienceSpecOf(message, category), subjectId)
  return found ? found.verdict : 'notNamed'
}

/** One wave: was the person named, and what came of it. */
async function waveSteps(
  db: Db,
  message: MessageRow,
  subjectId: string,
  wave: TracedWave,
): Promise<TraceEntry[]> {
  const reminder = wave.number > 0
  if (wave.purged)
    return [step('Whom this send told is older than it is kept; only counts are left.', wave.startedAt)]
  if (wave.deliveries.length === 0) {
    const whom = reminder
      ? `The reminder went to ${wave.expected} who had been told; this person was not among them.`
      : `The audience named ${wave.expected} deliveries when the send began; none was for this person. ${await today(db, message, subjectId)}`
    return [step(whom, wave.startedAt)]
  }
  const named = reminder ? 'They were to be reminded.' : 'The audience named them.'
  return [
    step(named, wave.startedAt),
    ...wave.deliveries.flatMap((delivery) => deliveryEntries(delivery, wave)),
  ]
}

async function today(db: Db, message: MessageRow, subjectId: string): Promise<string> {
  const now = await verdict(db, message, subjectId)
  return now === 'notNamed' ? 'It would not name them today either.' : 'Today it would name them.'
}

function answerStep({ at, option, channel }: Awaited<ReturnType<typeof answersOf>>[number]): TraceEntry {
  if (option === null) return { at, text: 'They asked not to be reminded.' }
  return { at, text: `They answered ${option} by ${channel}.` }
}

function step(text: string, at: Date | null = null): TraceEntry {
  return { at, text }
}
