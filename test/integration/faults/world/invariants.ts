import { sql } from 'kysely'
import { expect } from 'vitest'
import { checkChatJournal } from '../../../../dev/journal-check/chat.ts'
import { checkInvariants } from '../../../../src/db/queries/doctor/doctor.ts'
import type { Installation } from './installation.ts'
import { accepted, type Entry } from './journal.ts'
import type { PlannedMessage } from './producer.ts'

/** The longest duration of a provider call: one started before an expiry may arrive this much after it. */
const callMs = 10_000
const messagesPerCall = 5

/** One delivery, with the state of its message. Wave 1 is the reminder. */
type Row = {
  marker: string
  wave: number
  messageState: string
  closed: boolean
  address: string
  state: string
}

/** One provider call, and the number of its wave. */
type Call = Entry & { wave: number }

/**
 * Checks every invariant of an installation: the SQL invariants, the inserted people against the rows, the provider's
 * journal against both, and the canaries. A list that is not empty names the violations.
 */
export async function expectInvariants(installation: Installation): Promise<void> {
  const journal = await readCalls(installation)
  const findings = [
    ...(await checkInvariants(installation.db)),
    ...(await checkChatJournal(installation.db, journal)),
  ]
  const rows = await readRows(installation)
  const messages = installation.planned.map((message) => ({
    message,
    rows: rows.filter(({ marker }) => marker === message.marker),
    calls: journal.filter(({ marker }) => marker === message.marker),
  }))
  // Reminders after opt-out and withdrawn consent are found by the rows: the journal does not know when they were read.
  expect({
    'rows and journal': findings.filter(({ ok }) => !ok),
    'not as inserted': messages.flatMap(({ message, rows }) => unlikeInserted(message, rows)),
    'sent twice': duplicates(journal),
    'sent after a cancel': messages.flatMap(({ message, rows, calls }) => afterCancel(message, rows, calls)),
    'too early or too late': messages.flatMap(({ message, calls }) => outOfTime(message, calls)),
    'sent though excluded': messages.flatMap(({ message, calls }) => sentThoughExcluded(message, calls)),
    'sent without a call': messages.flatMap(({ message, rows, calls }) =>
      sentWithoutCall(message, rows, calls),
    ),
    'sent without a row': messages.flatMap(({ rows, calls }) => unaccounted(rows, calls)),
    'of no planned message': strangers(installation.planned, journal),
    leaks: await installation.leaks(),
  }).toEqual({
    'rows and journal': [],
    'not as inserted': [],
    'sent twice': [],
    'sent after a cancel': [],
    'too early or too late': [],
    'sent though excluded': [],
    'sent without a call': [],
    'sent without a row': [],
    'of no planned message': [],
    leaks: [],
  })
}

/** The journal does not name the wave; the retry key of each call leads to it. */
async function readCalls({ db, simulator }: Installation): Promise<Call[]> {
  const { rows } = await sql<{ key: string; wave: number }>`
    select retry_key as key, number as wave from call join wave on wave.id = call.wave_id`.execute(db)
  const waves = new Map(rows.map(({ key, wave }) => [key, wave]))
  return simulator.journal().map((entry) => ({ ...entry, wave: waves.get(entry.retryKey ?? '') ?? 0 }))
}

async function readRows({ db }: Installation): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select substring(message.title ->> 'zh-TW' from 'm-[0-9a-f]{12}') as marker, wave.number as wave,
      message.state as "messageState", message.closed_at is not null as closed, address, delivery.state
    from delivery
    join wave on wave.id = delivery.wave_id
    join message on message.id = wave.message_id
    join address using (subject_id, channel)
    where channel = 'chat'`.execute(db)
  return rows
}

/**
 * Where deliveries were written, there is exactly one for every inserted recipient; a reminder has one for everyone who
 * may have received the first wave.
 */
function unlikeInserted({ marker, crowd }: PlannedMessage, rows: Row[]): string[] {
  const first = rows.filter(({ wave }) => wave === 0)
  const reminder = rows.filter(({ wave }) => wave === 1)
  const reached = first.filter(({ state }) => state === 'sent' || state === 'unknown')
  return [
    ...unlike(`${marker}`, [...crowd.recipients, ...crowd.excluded], first),
    ...unlike(
      `${marker}, reminder`,
      reached.map(({ address }) => address),
      reminder,
    ),
  ]
}

function unlike(what: string, expected: string[], rows: Row[]): string[] {
  if (rows.length === 0) return []
  const inserted = new Set(expected)
  const addresses = new Set(rows.map(({ address }) => address))
  const lost = [...inserted].filter((address) => !addresses.has(address)).length
  const extra = [...addresses].filter((address) => !inserted.has(address)).length
  const same = lost + extra === 0 && rows.length === inserted.size
  return same ? [] : [`${what}: ${lost} lost, ${extra} not inserted, ${rows.length} rows`]
}

function duplicates(journal: Call[]): string[] {
  const earlier = new Set<string>()
  return accepted(journal).flatMap(({ seq, to, marker, wave, part }) => {
    const places = to.map((address) => `${address} ${marker} ${wave} ${part}`)
    const twice = places.filter((place) => earlier.has(place))
    for (const place of places) earlier.add(place)
    return twice.length > 0 ? [`call ${seq} of ${marker}: ${twice.length} people`] : []
  })
}

/** A cancel is granted only before the first call, so a cancelled message is in no journal. */
function afterCancel({ marker, withheldAt }: PlannedMessage, rows: Row[], calls: Call[]): string[] {
  const cancelled = withheldAt !== undefined || rows.some(({ messageState }) => messageState === 'cancelled')
  return cancelled && calls.length > 0 ? [`${marker}: ${calls.length} calls`] : []
}

function outOfTime({ marker, body }: PlannedMessage, calls: Call[]): string[] {
  const begins = [body.scheduleAt, body.remindAt].map((at) => (at ? Date.parse(at) : 0))
  const end = body.expiresAt ? Date.parse(body.expiresAt) + callMs : Number.POSITIVE_INFINITY
  return calls
    .filter(({ at, wave }) => at < begins[wave]! || at > end)
    .map(({ seq }) => `call ${seq} of ${marker}`)
}

function sentThoughExcluded({ marker, crowd }: PlannedMessage, calls: Call[]): string[] {
  const reached = new Set(accepted(calls).flatMap(({ to }) => to))
  return crowd.excluded.filter((address) => reached.has(address)).map(() => marker)
}

function sentWithoutCall({ marker, body }: PlannedMessage, rows: Row[], calls: Call[]): string[] {
  const reached = new Set(
    accepted(calls).flatMap(({ to, wave, part }) => to.map((address) => `${address} ${wave} ${part}`)),
  )
  const parts = Math.ceil((body.messages?.length ?? 0) / messagesPerCall)
  const missing = rows.filter(
    ({ state, address, wave }) =>
      state === 'sent' &&
      Array.from({ length: parts }).some((_, part) => !reached.has(`${address} ${wave} ${part}`)),
  )
  return missing.length > 0 ? [`${marker}: ${missing.length} people`] : []
}

/** Every recipient has a row that records it, once the message is closed. */
function unaccounted(rows: Row[], calls: Call[]): string[] {
  if (!rows.every(({ closed }) => closed)) return []
  const states = new Map(rows.map(({ address, wave, state }) => [`${address} ${wave}`, state]))
  const reached = accepted(calls).flatMap(({ to, wave }) => to.map((address) => `${address} ${wave}`))
  return reached
    .filter((place) => !['sent', 'unknown'].includes(states.get(place) ?? 'no row'))
    .map((place) => `a recipient was sent to, and their row has the state ${states.get(place)}`)
}

function strangers(planned: PlannedMessage[], journal: Call[]): string[] {
  const markers = new Set(planned.map(({ marker }) => marker))
  return journal.filter(({ marker }) => !markers.has(marker)).map(({ seq }) => `call ${seq}`)
}
