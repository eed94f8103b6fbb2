import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Caller, call } from '../../dev/demo/send.ts'
import { freePort } from '../../dev/ports.ts'
import type { BenchInstallation } from '../installation.ts'
import { inParallel } from '../parallel.ts'
import { chatAddressOf, uidOf } from '../people.ts'
import { asks, createUnit, inARow, putInForce, says, startProducer, type Unit } from './unit.ts'

/** What another unit does. */
export type Load = {
  what: string
  /** Does it once. */
  burst(): Promise<void>
  /** Whether something of it is still to be worked off, by the workflows of its runs as well. */
  busy(): Promise<boolean>
  /** Takes back what can be, so that it is worked off soon. */
  end?(): Promise<void>
}

/** The people of another unit: so many, from this one on. */
export type Crowd = { first: number; people: number }
type Prepare = (installation: BenchInstallation, crowd: Crowd) => Promise<Load>

/** The loads, by bench; `people` of each for one probe of a round, of whom the load has need. */
export const loads = {
  N1: { people: 2, prepare: [costlyRuns, simulations] },
  N2: { people: 0, prepare: [simulations] },
  N3: { people: 60, prepare: [keywords] },
  N3M: { people: 360, prepare: [massStarts] },
  N4: { people: 6, prepare: [slowLookups] },
  N5: { people: 1, prepare: [oneAddress] },
} satisfies Record<string, { people: number; prepare: Prepare[] }>

/** Rendered in nearly all steps that a message may take. */
const costly = '{% for i in (1..1500) %}{{ i }}{% endfor %}'
const costlyTexts = inARow([1, 2, 3].map((n) => says(`n${n}`, `${n} ${costly}`)))

async function costlyRuns(installation: BenchInstallation, crowd: Crowd): Promise<Load> {
  const unit = await createUnit(installation, 'costly')
  const id = await putInForce(unit, costlyTexts)
  const what = `${crowd.people} runs that say three costly texts`
  return { what, burst: () => startFor(unit, id, uidsOf(crowd)), ...runsOf(installation, unit) }
}

const simulationsAtOnce = 10

async function simulations(installation: BenchInstallation): Promise<Load> {
  const unit = await createUnit(installation, 'simulating')
  const id = await putInForce(unit, costlyTexts)
  const path = `/v1/scenarios/${id}/simulate`
  return {
    what: `simulations of three costly texts, ${simulationsAtOnce} at a time`,
    async burst() {
      const one = () => call(unit.caller, 'POST', path, {}).catch(() => sleep(100)) // its steps of the minute are spent
      await Promise.all(Array.from({ length: simulationsAtOnce }, one))
    },
    busy: async () => false,
  }
}

/** The crowd writes by thirds: a keyword of one person starts a scenario once in ten seconds. */
const groups = 3

async function keywords(installation: BenchInstallation, { first, people }: Crowd): Promise<Load> {
  const unit = await createUnit(installation, 'keyword')
  await putInForce(unit, { ...inARow([says('hello', '您好。')]), triggers: { keywords: ['storm'] } })
  const each = Math.floor(people / groups)
  const addresses = peopleOf({ first, people }).map(chatAddressOf)
  const runs = runsOf(installation, unit)
  let bursts = 0
  return {
    what: `${each} people who write the keyword of a scenario`,
    async burst() {
      const from = first + (bursts++ % groups) * each
      await inParallel('storm', each, (n) => say(installation, from + n, 'storm'))
    },
    busy: async () => (await pendingOf(installation, addresses)) > 0 || (await runs.busy()),
    end: runs.end,
  }
}

const starts = 20

async function massStarts(installation: BenchInstallation, crowd: Crowd): Promise<Load> {
  const unit = await createUnit(installation, 'mass')
  const id = await putInForce(unit, inARow([says('hello', '您好。')]))
  const all = uidsOf(crowd)
  const each = Math.ceil(all.length / starts)
  return {
    what: `${starts} mass starts of ${each} people each`,
    async burst() {
      for (let n = 0; n < all.length; n += each) await startFor(unit, id, all.slice(n, n + each))
    },
    ...runsOf(installation, unit),
  }
}

const slowMs = 2_000

async function slowLookups(installation: BenchInstallation, crowd: Crowd): Promise<Load> {
  const unit = await createUnit(installation, 'slow')
  const id = await putInForce(unit, asks(await startProducer(installation, await freePort(), slowMs)))
  return {
    what: `${crowd.people} runs at a Lookup of a producer that answers after ${slowMs / 1_000} s`,
    burst: () => startFor(unit, id, uidsOf(crowd)),
    ...runsOf(installation, unit),
  }
}

/** For each of the crowd, so many events of its first person. */
const eventsEach = 100

async function oneAddress(installation: BenchInstallation, { first, people }: Crowd): Promise<Load> {
  const address = chatAddressOf(first)
  const { addresses, secrets } = installation.environment
  return {
    what: `${people * eventsEach} events of one address`,
    async burst() {
      for (let n = 0; n < people; n += 1) {
        const events = Array.from({ length: eventsEach }, () => ({
          ...{ type: 'message', webhookEventId: randomUUID(), timestamp: Date.now(), mode: 'active' },
          ...{ source: { type: 'user', userId: address }, deliveryContext: { isRedelivery: false } },
          message: { id: randomUUID(), type: 'text', text: 'nothing to answer' },
        }))
        const body = JSON.stringify({ destination: 'bench', events })
        const digest = createHmac('sha256', secrets.chatChannelSecret).update(body).digest('base64')
        const headers = { 'content-type': 'application/json', 'x-line-signature': digest }
        const answer = await fetch(`${addresses.api}/v1/webhooks/chat`, { method: 'POST', headers, body })
        if (!answer.ok) throw new Error(`The webhook answered ${answer.status}.`)
      }
    },
    busy: async () => (await pendingOf(installation, [address])) > 0,
  }
}

const peopleOf = ({ first, people }: Crowd) => Array.from({ length: people }, (_, n) => first + n)
const uidsOf = (crowd: Crowd) => peopleOf(crowd).map(uidOf)

const startFor = (unit: Unit, scenarioId: string, subjectUids: string[]) =>
  call<void>(unit.caller, 'POST', `/v1/scenarios/${scenarioId}/runs`, { subjectUids })

/** Writes a text on the phone of this person; resolves when Carillon has stored it. */
export async function say({ environment }: BenchInstallation, nth: number, text: string): Promise<void> {
  const url = `${environment.addresses.simulator}/phones/${chatAddressOf(nth)}/actions`
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ kind: 'say', text }) })
  const { status } = (await answer.json()) as { status: number | null }
  if (status !== 200) throw new Error(`The webhook answered ${status} to a text.`)
}

/** How many events of these addresses are not applied yet. */
export async function pendingOf({ db }: BenchInstallation, addresses: string[]): Promise<number> {
  const { rows } = await sql<{ pending: number }>`
    select count(*)::integer as pending from webhook_event where done_at is null and address = any(${addresses})`.execute(
    db,
  )
  return rows[0]!.pending
}

function runsOf({ db }: BenchInstallation, { id, caller }: Unit): Required<Pick<Load, 'busy' | 'end'>> {
  return {
    async busy() {
      const { rows } = await sql<{ open: boolean }>`
        select exists (select from scenario_run
          where unit_id = ${id} and (closed_at is null or observed_version < version)) as open`.execute(db)
      return rows[0]!.open
    },
    async end() {
      const rows = await db.selectFrom('scenario').select('id').where('unit_id', '=', id).execute()
      for (const scenario of rows) await cancelAll(caller, scenario.id)
    },
  }
}

/** Cancels the open runs of a scenario; tries again while the database is busy. */
async function cancelAll(caller: Caller, scenarioId: string): Promise<void> {
  const path = `/v1/scenarios/${scenarioId}/runs/cancel`
  const isOver = () =>
    call(caller, 'POST', path, {}).then(
      () => true,
      (error: { code?: string }) => {
        if (error.code !== 'unavailable') throw error
        return false
      },
    )
  while (!(await isOver())) await sleep(1_000)
}
