import { sql } from 'kysely'
import { expect } from 'vitest'
import { checkInvariants } from '../../../../src/db/queries/doctor.ts'
import { accepted, type Entry } from './journal.ts'
import type { Planned } from './producer.ts'
import type { World } from './world.ts'

/** How long a provider call may take: what began before an expiry may arrive so much after it. */
const callMs = 10_000
const messagesPerCall = 5

/** One delivery, with what its message came to. */
type Row = {
  marker: string
  messageState: string
  closed: boolean
  address: string
  state: string
}

/**
 * Holds a world to every invariant of quality.md that concerns it: what SQL can see, the planted people against the
 * rows, the provider's journal against both, and the canaries. A list that is not empty names what is wrong.
 */
export async function expectInvariants(world: World): Promise<void> {
  const broken = (await checkInvariants(world.db)).filter(({ ok }) => !ok)
  const rows = await readRows(world)
  const journal = world.simulator.journal()
  const messages = world.planned.map((message) => ({
    message,
    rows: rows.filter(({ marker }) => marker === message.marker),
    calls: journal.filter(({ marker }) => marker === message.marker),
  }))
  expect({
    doctor: broken,
    'I1 planted': messages.flatMap(({ message, rows }) => unlikePlanted(message, rows)),
    'I2 told twice': duplicates(journal),
    'I7 told after a cancel': messages.flatMap(({ message, rows, calls }) =>
      afterCancel(message, rows, calls),
    ),
    'I10 too early or too late': messages.flatMap(({ message, calls }) => outOfTime(message, calls)),
    'I12 told though spared': messages.flatMap(({ message, calls }) => sparedButTold(message, calls)),
    'I13 sent without a call': messages.flatMap(({ message, rows, calls }) => untold(message, rows, calls)),
    'told without a row': messages.flatMap(({ rows, calls }) => unaccounted(rows, calls)),
    'of no planned message': strangers(world.planned, journal),
    'I9 leaks': await world.leaks(),
  }).toEqual({
    doctor: [],
    'I1 planted': [],
    'I2 told twice': [],
    'I7 told after a cancel': [],
    'I10 too early or too late': [],
    'I12 told though spared': [],
    'I13 sent without a call': [],
    'told without a row': [],
    'of no planned message': [],
    'I9 leaks': [],
  })
}

async function readRows({ db }: World): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select substring(message.title ->> 'zh-TW' from 'm-[0-9a-f]{12}') as marker, message.state as "messageState",
      message.closed_at is not null as closed, address, delivery.state
    from delivery
    join wave on wave.id = delivery.wave_id
    join message on message.id = wave.message_id
    join address using (subject_id, channel)`.execute(db)
  return rows
}

/** Where rows were written, there is one for everybody who was planted, and for nobody else. */
function unlikePlanted({ marker, crowd }: Planned, rows: Row[]): string[] {
  if (rows.length === 0) return []
  const planted = new Set([...crowd.told, ...crowd.spared])
  const found = new Set(rows.map(({ address }) => address))
  const lost = [...planted].filter((address) => !found.has(address)).length
  const extra = [...found].filter((address) => !planted.has(address)).length
  const same = lost + extra === 0 && rows.length === planted.size
  return same ? [] : [`${marker}: ${lost} lost, ${extra} not planted, ${rows.length} rows`]
}

function duplicates(journal: Entry[]): string[] {
  const seen = new Set<string>()
  return accepted(journal).flatMap(({ seq, to, marker, part }) => {
    const twice = to.filter((address) => seen.has(`${address} ${marker} ${part}`))
    for (const address of to) seen.add(`${address} ${marker} ${part}`)
    return twice.length > 0 ? [`call ${seq} of ${marker}: ${twice.length} people`] : []
  })
}

/** A cancel is granted only before anybody could be told, so a cancelled message stands in no journal at all. */
function afterCancel({ marker, withheldAt }: Planned, rows: Row[], calls: Entry[]): string[] {
  const cancelled = withheldAt !== undefined || rows.some(({ messageState }) => messageState === 'cancelled')
  return cancelled && calls.length > 0 ? [`${marker}: ${calls.length} calls`] : []
}

function outOfTime({ marker, body }: Planned, calls: Entry[]): string[] {
  const from = body.scheduleAt ? Date.parse(body.scheduleAt) : 0
  const to = body.expiresAt ? Date.parse(body.expiresAt) + callMs : Number.POSITIVE_INFINITY
  return calls.filter(({ at }) => at < from || at > to).map(({ seq }) => `call ${seq} of ${marker}`)
}

function sparedButTold({ marker, crowd }: Planned, calls: Entry[]): string[] {
  const told = toldBy(calls)
  return crowd.spared.filter((address) => told.has(`${address} 0`)).map(() => marker)
}

function untold({ marker, body }: Planned, rows: Row[], calls: Entry[]): string[] {
  const told = toldBy(calls)
  const parts = Math.ceil((body.messages?.length ?? 0) / messagesPerCall)
  const missing = rows.filter(
    ({ state, address }) =>
      state === 'sent' && Array.from({ length: parts }).some((_, part) => !told.has(`${address} ${part}`)),
  )
  return missing.length > 0 ? [`${marker}: ${missing.length} people`] : []
}

/** Whoever was told has a row that says so, once the message is closed. */
function unaccounted(rows: Row[], calls: Entry[]): string[] {
  if (!rows.every(({ closed }) => closed)) return []
  const states = new Map(rows.map(({ address, state }) => [address, state]))
  const reached = accepted(calls).flatMap(({ to }) => to)
  return reached
    .filter((address) => !['sent', 'unknown'].includes(states.get(address) ?? 'no row'))
    .map((address) => `somebody was told, and their row says ${states.get(address)}`)
}

function strangers(planned: Planned[], journal: Entry[]): string[] {
  const markers = new Set(planned.map(({ marker }) => marker))
  return journal.filter(({ marker }) => !markers.has(marker)).map(({ seq }) => `call ${seq}`)
}

function toldBy(calls: Entry[]): Set<string> {
  return new Set(accepted(calls).flatMap(({ to, part }) => to.map((address) => `${address} ${part}`)))
}
