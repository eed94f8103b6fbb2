import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../db/connect.ts'
import { findSubjectNames } from '../../db/queries/subject/subject.ts'
import {
  type FoundKind,
  findByProvider,
  findNamed,
  type IdMatch,
  type NamedRecord,
  recordsOfSubject,
} from '../../db/queries/trace/find-id.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { auditReading } from '../subjects/find.ts'

/** What is known of an id, as a sentence for operators. `at` is null for the current state. */
export type FoundEntry = { at: Date | null; text: string }

/**
 * Says what an id, a key or another name belongs to, and where to read on. Names nobody and shows no text. For a
 * person: their newest messages, runs and handoffs, which the audit log records.
 * @throws ServiceError not_found
 */
export async function find(db: Db, actor: string, named: string): Promise<FoundEntry[]> {
  const name = { named, id: idOrNull(named) }
  const ofSubject = await subjectEntries(db, actor, name)
  const byName = await findNamed(db, name)
  const matches = byName.length + ofSubject.length > 0 ? byName : await findByProvider(db, name)
  const entries = [...ofSubject, ...matches.map(foundEntry)]
  if (entries.length === 0)
    throw new ServiceError(
      'not_found',
      `Nothing is known by ${named}. It may be past retention, or the id of a run in Temporal (search its UI for RunId), ` +
        'or of a request (search the log of the API).',
    )
  return entries
}

/** Of each kind of record. */
const recordsShown = 20

async function subjectEntries(
  db: Db,
  actor: string,
  name: { named: string; id: string | null },
): Promise<FoundEntry[]> {
  const subject = await findSubjectNames(db, name)
  if (!subject) return []
  await auditReading(db, { unitId: null, actor }, subject.id, 'trace')
  const records = await recordsOfSubject(db, subject.id, recordsShown)
  const newest = `these are the newest messages, runs and handoffs, at most ${recordsShown} of each`
  return [
    ...records.map((record) => recordEntry(record, subject.id)),
    { at: null, text: `Subject ${subject.id}: ${records.length > 0 ? newest : 'nothing was sent to them'}.` },
  ]
}

function recordEntry({ kind, id, at, unit, state }: NamedRecord, subjectId: string): FoundEntry {
  const read = kind === 'message' ? `carillon trace ${id} ${subjectId}` : `carillon trace ${id}`
  const noun = { message: 'Message', run: 'Run', handoff: 'Handoff' }[kind]
  return { at, text: `${noun} ${id} of ${unit}: ${state}. Read on: ${read}` }
}

/** What each kind is called, and what says more about it. */
const kinds: Record<FoundKind, { noun: string; readOn: (match: IdMatch) => string | null }> = {
  message: { noun: 'Message', readOn: ({ id }) => `carillon message show ${id}` },
  wave: { noun: 'Wave', readOn: ofMessage },
  call: { noun: 'A call to a provider', readOn: ({ of }) => of && `carillon trace ${of} <uid>` },
  turn: { noun: 'Turn', readOn: ({ of }) => of && `carillon trace ${of}` },
  scenario: { noun: 'Scenario', readOn: ({ id }) => `carillon run list ${id}` },
  scenarioStart: { noun: 'A call that started runs,', readOn: ({ of }) => of && `carillon run list ${of}` },
  pattern: { noun: 'Pattern', readOn: ({ of }) => of && `carillon run list ${of}` },
  schedule: { noun: 'Schedule', readOn: ({ id }) => `GET /v1/schedules/${id}/occurrences` },
  occurrence: { noun: 'Occurrence of a schedule', readOn: ofMessage },
  event: { noun: 'Event', readOn: (match) => ofMessage(match) ?? `GET /v1/recorded-events/${match.id}` },
  eventBinding: { noun: 'Event binding', readOn: ({ id }) => `GET /v1/event-bindings/${id}` },
  channelEvent: { noun: 'Event of a channel', readOn: ({ of }) => of && `carillon trace ${of}` },
  handoff: { noun: 'Handoff', readOn: ({ id }) => `carillon trace ${id}` },
  template: { noun: 'Template', readOn: ({ id }) => `GET /v1/templates/${id}` },
  group: { noun: 'Group', readOn: ({ id }) => `GET /v1/groups/${id}` },
  topic: { noun: 'Topic', readOn: () => 'GET /v1/topics' },
  callback: { noun: 'Callback', readOn: ({ id }) => `GET /v1/callbacks/${id}/deliveries` },
  callbackDelivery: { noun: 'Delivery of a callback', readOn: ofMessage },
  import: { noun: 'Import', readOn: ({ id }) => `GET /v1/imports/${id}` },
  notice: { noun: 'A mail to staff', readOn: ({ of }) => of && `carillon trace ${of}` },
  unit: { noun: 'Unit', readOn: ({ id }) => `carillon member list ${id}` },
  person: { noun: 'Person on the staff', readOn: () => 'carillon member list <unit>' },
  producerKey: { noun: 'Key of a producer', readOn: ({ unit }) => `carillon key list "${unit}"` },
}

function ofMessage({ of }: IdMatch): string | null {
  return of && `carillon message show ${of}`
}

function foundEntry(match: IdMatch): FoundEntry {
  const { kind, id, at, unit, state } = match
  const { noun, readOn } = kinds[kind]
  const facts = [noun, id, unit && `of ${unit}`].filter((fact) => fact !== null).join(' ')
  const more = readOn(match)
  return { at, text: `${facts}${state ? `: ${state}` : ''}.${more ? ` Read on: ${more}` : ''}` }
}
