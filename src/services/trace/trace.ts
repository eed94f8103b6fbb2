import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../db/connect.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import { findFrozen } from '../../db/queries/message/content.ts'
import { type FoundMessage, findMessage } from '../../db/queries/message/message.ts'
import { storedState } from '../../db/queries/shown-state.ts'
import { findSubjectNames } from '../../db/queries/subject/subject.ts'
import {
  answersOf,
  currentVerdict,
  movesOf,
  type TracedMove,
  type TracedWave,
  wavesFor,
} from '../../db/queries/trace/trace.ts'
import type { MessageRow } from '../../db/tables.ts'
import { findOption } from '../../domain/content/option.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { isExpired } from '../../domain/message/expiry.ts'
import { reminderAt } from '../../domain/message/shown-state.ts'
import { audienceSpecOf } from '../messages/forecast.ts'
import { auditReading } from '../subjects/find.ts'
import { deliveryEntries } from './delivery.ts'
import { moveEntry } from './move.ts'
import { entry, type TraceEntry, timeOf } from './words.ts'

/**
 * Explains what happened to one message for one person, entry by entry. After an erasure, only the subject id finds the
 * person. The audit log of the message's unit records who asked.
 * @throws ServiceError not_found
 */
export async function trace(db: Db, actor: string, messageId: string, named: string): Promise<TraceEntry[]> {
  const record = await messageRow(db, messageId)
  const { message } = record
  const subjectId = await subjectIdOf(db, named)
  await auditReading(db, { unitId: message.unit_id, actor }, subjectId, 'trace')
  const waves = await wavesFor(db, message.id, subjectId)
  const labels = await labelsOf(db, message)
  const first = waves.find(({ number }) => number === 0)
  const moves = await movesOf(db, 'message', message.id)
  const steps = [
    ...moves.filter(({ action }) => action !== 'finish').map(moveEntry),
    ...(first && isWritten(first) ? [] : [await forecastStep(db, record, subjectId)]),
    ...(
      await Promise.all(waves.filter(isWritten).map((wave) => waveSteps(db, message, subjectId, wave)))
    ).flat(),
    ...(await answersOf(db, message.id, subjectId)).map((answer) => answerStep(answer, labels)),
    ...waves.filter((wave) => wave.number > 0 && isDue(record, wave)).map(() => reminderStep(message)),
    // A send finishes after its deliveries, be it within the same millisecond.
    ...moves.filter(({ action }) => action === 'finish').map((move) => moveEntry(finishOf(move, waves))),
  ]
  return steps.sort((one, other) => timeOf(one) - timeOf(other))
}

/** The row of a wave and that of the move that ended it are written together, each by its own reading of the clock. */
function finishOf(move: TracedMove, waves: readonly TracedWave[]): TracedMove {
  const ended = waves.find(({ number }) => number === (move.from_state === 'sent' ? 1 : 0))?.finishedAt
  return ended && ended > move.at ? { ...move, at: ended } : move
}

async function messageRow(db: Db, id: string): Promise<FoundMessage> {
  const uuid = idOrNull(id)
  const record = uuid === null ? undefined : await findMessage(db, uuid)
  if (!record) throw new ServiceError('not_found', `No message ${id}. See: carillon message list`)
  return record
}

async function subjectIdOf(db: Db, named: string): Promise<string> {
  const id = idOrNull(named)
  const person = await findSubjectNames(db, { named, id })
  if (person) return person.id
  if (id) return id
  throw new ServiceError('not_found', `No subject ${named}. If the person was erased, give the subject id.`)
}

function isWritten(wave: TracedWave): boolean {
  return wave.expected !== null
}

/** Whether the reminder still waits for its time. */
function isDue({ message, now }: FoundMessage, { state: reminder }: TracedWave): boolean {
  return reminderAt({ ...storedState(message), reminder }, now) === 'waiting'
}

function reminderStep({ remind_at }: MessageRow): TraceEntry {
  return entry(null, 'reminder_due', remind_at!)
}

async function forecastStep(db: Db, { message, now }: FoundMessage, subjectId: string): Promise<TraceEntry> {
  if (message.closed_at) return entry(message.closed_at, 'closed_unsent')
  if (isExpired(storedState(message).expiresAt, now)) return entry(message.expires_at, 'closed_unsent')
  const reason = await verdict(db, message, subjectId)
  if (reason === 'notNamed') return entry(null, 'not_named_yet')
  return reason === null ? entry(null, 'will_receive') : entry(null, 'will_not_receive', reason)
}

async function verdict(db: Db, message: MessageRow, subjectId: string) {
  const category = (await findCategory(db, message.category_id))!
  const row = await currentVerdict(db, audienceSpecOf(message, category), subjectId)
  return row ? row.verdict : 'notNamed'
}

/** The entries of one wave: whether it included the person, and the outcome. */
async function waveSteps(
  db: Db,
  message: MessageRow,
  subjectId: string,
  wave: TracedWave,
): Promise<TraceEntry[]> {
  const reminder = wave.number > 0
  if (wave.purged) return [entry(wave.startedAt, 'purged')]
  const expected = wave.expected ?? 0
  if (wave.deliveries.length === 0)
    return [
      reminder
        ? entry(wave.startedAt, 'not_in_reminder', expected)
        : entry(
            wave.startedAt,
            'not_in_send',
            expected,
            (await verdict(db, message, subjectId)) !== 'notNamed',
          ),
    ]
  return [
    entry(wave.startedAt, reminder ? 'in_reminder' : 'in_send'),
    ...wave.deliveries.flatMap((delivery) => deliveryEntries(delivery, wave)),
  ]
}

/**
 * The words on the buttons of a message. Those of a personal message are for its authors and approvers, and purged ones
 * are gone: its answers then have only their ids.
 */
async function labelsOf(
  db: Db,
  { id, kind }: MessageRow,
): Promise<(n: number, o: string) => string | undefined> {
  const frozen = kind === 'personal' ? [] : ((await findFrozen(db, id))?.messages ?? [])
  return (n, o) => findOption(frozen, n, o)?.label['zh-TW']
}

type Answer = Awaited<ReturnType<typeof answersOf>>[number]

function answerStep(
  { at, option, n, o, channel }: Answer,
  labels: Awaited<ReturnType<typeof labelsOf>>,
): TraceEntry {
  if (option === null) return entry(at, 'declined_reminder')
  return entry(at, 'answered', option, labels(n!, o!), channel)
}
