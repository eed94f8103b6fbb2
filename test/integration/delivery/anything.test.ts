import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createCircuitBreaker } from '../../../src/activities/delivery/circuit-breaker.ts'
import type { DeliveryContext } from '../../../src/activities/delivery/context.ts'
import { finishWave } from '../../../src/activities/delivery/finish-wave.ts'
import { sendSlice } from '../../../src/activities/delivery/send-slice.ts'
import type { Outcome } from '../../../src/domain/message/outcome.ts'
import { applyMove, lockMessage } from '../../../src/services/messages/move.ts'
import { pauseMessage, resumeMessage } from '../../../src/services/messages/transitions.ts'
import { forSends, type ScriptedDelivery, withScriptedProvider } from '../../fixtures/delivery.ts'
import { activityAttempt } from '../../fixtures/delivery-steps.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { byCall, type Send } from '../../fixtures/senders.ts'
import { expireLeases, type PlannedSend, rowsOf, startedSend } from '../../fixtures/sends.ts'
import { expectAccounted } from './accounting.ts'

/** What can happen to a try, and what a person can do while it is in flight. */
type Event =
  | 'accepted'
  | 'killed before'
  | 'killed after'
  | 'cut'
  | 'no connection'
  | 'server error'
  | 'refused'
  | 'one refused'
  | 'too fast'
  | 'pause'
  | 'resume'
  | 'stop'

const events: fc.Arbitrary<Event[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant<Event>('accepted') },
    {
      weight: 8,
      arbitrary: fc.constantFrom<Event>(
        ...([
          'killed before',
          'killed after',
          'cut',
          'no connection',
          'server error',
          'refused',
          'one refused',
        ] as const),
        ...(['too fast', 'pause', 'resume'] as const),
      ),
    },
    { weight: 1, arbitrary: fc.constant<Event>('stop') },
  ),
  { minLength: 1, maxLength: 30 },
)

/** How long after its rows are written the message expires, ms; null: never. */
const expiry = fc.option(fc.nat(800))

const { database, shared } = forSends()

it('in any sequence of events, every recipient has an outcome and none is sent to twice', async () => {
  await fc.assert(
    fc.asyncProperty(events, expiry, async (happening, ms) => {
      const fixture = withScriptedProvider(shared)
      const planned = await startedSend(fixture, await addRecipients(database.db, 40))
      await splitBatches(planned, 3)
      await expireIn(planned, ms)
      await runToEnd(fixture, planned, [...happening])
      expect(await rowsOf(fixture, planned)).toMatchObject({ message: { closed_at: expect.any(Date) } })
      await expectAccounted(fixture, planned)
    }),
    { numRuns: 25 },
  )
})

/** Splits a wave into batches of `size`, so that there are many. */
async function splitBatches({ waveId }: PlannedSend, size: number): Promise<void> {
  await sql`delete from batch where wave_id = ${waveId}`.execute(database.db)
  await sql`
    with placed as (
      select subject_id, (row_number() over (order by locale, id) - 1) / ${size}::int as number
      from delivery join subject on subject.id = subject_id where wave_id = ${waveId}
    )
    update delivery set batch = placed.number from placed
    where wave_id = ${waveId} and delivery.subject_id = placed.subject_id
  `.execute(database.db)
  await sql`
    insert into batch (wave_id, channel, number, locale, size)
    select wave_id, channel, batch, 'en', count(*) from delivery where wave_id = ${waveId}
    group by wave_id, channel, batch
  `.execute(database.db)
}

async function expireIn({ id }: PlannedSend, ms: number | null): Promise<void> {
  if (ms === null) return
  await sql`update message set expires_at = clock_timestamp() + ${ms} * interval '1 ms' where id = ${id}`.execute(
    database.db,
  )
}

/** Runs three lanes and a finish repeatedly, as a run does, until the message is closed. */
async function runToEnd(fixture: ScriptedDelivery, planned: PlannedSend, happening: Event[]): Promise<void> {
  for (let round = 0; round < 200; round++) {
    if (round % 3 === 2) await resume(fixture, planned)
    const lanes = [1, 2, 3].map(async () => {
      const activity = activityAttempt()
      const delivery = {
        ...fixture.delivery,
        breaker: createCircuitBreaker(),
        senders: { chat: byCall(eventful(fixture, planned, happening)) },
      }
      try {
        await sendSlice(delivery, activity, planned.waveId, 'chat')
      } catch {
        // half of the killed attempts are retried at once, the others leave a lease
        if (round % 2) await again(delivery, { ...activity, attempt: 2 }, planned)
      }
    })
    await Promise.all(lanes)
    await letTimePass(fixture, planned)
    if ((await finishWave(fixture.delivery, activityAttempt(), planned.id)).closed) return
  }
}

async function again(
  delivery: DeliveryContext,
  activity: ReturnType<typeof activityAttempt>,
  { waveId }: PlannedSend,
) {
  await sendSlice(delivery, activity, waveId, 'chat').catch(() => {})
}

/** A provider with one of these events at every try; after the last it accepts everything. */
function eventful(
  { provider, ...fixture }: ScriptedDelivery,
  planned: PlannedSend,
  happening: Event[],
): Send {
  return async (call) => {
    const event = happening.shift() ?? 'accepted'
    const unavailable = (code: string, certain: boolean): Outcome => ({ kind: 'unavailable', code, certain })
    switch (event) {
      case 'killed before':
        throw new Error('killed')
      case 'killed after':
        await provider.send(call)
        throw new Error('killed')
      case 'cut':
        await provider.send(call)
        return unavailable('cut', false)
      case 'no connection':
        return unavailable('no_connection', true)
      case 'server error':
        return unavailable('http_500', false)
      case 'refused':
      case 'one refused':
        return provider.refuse(call, event === 'one refused' ? call.to.slice(0, 1) : [])
      case 'too fast':
        return { kind: 'throttled', retryAfterMs: 1 }
      case 'accepted':
        return provider.send(call)
      default:
        await act({ ...fixture, provider }, planned, event).catch(() => {})
        return provider.send(call)
    }
  }
}

async function act(
  fixture: ScriptedDelivery,
  planned: PlannedSend,
  event: 'pause' | 'resume' | 'stop',
): Promise<unknown> {
  const { db, services, editor } = fixture
  switch (event) {
    case 'pause':
      return pauseMessage(services, editor, planned.id)
    case 'resume':
      return resume(fixture, planned)
    case 'stop':
      return db
        .transaction()
        .execute(async (trx) =>
          applyMove(trx, await lockMessage(trx, planned.id), 'stop', { actor: 'key:key1' }),
        )
  }
}

/** Resumes the message, or expires it if it is past its expiry. */
async function resume({ db, services, editor }: ScriptedDelivery, { id }: PlannedSend): Promise<void> {
  await resumeMessage(services, editor, id).catch(() => {})
  const expire = db
    .transaction()
    .execute(async (trx) => applyMove(trx, await lockMessage(trx, id), 'expire', { actor: 'system:run' }))
  await expire.catch(() => {})
}

/** As if every lease, back-off and pause were over. */
async function letTimePass(fixture: ScriptedDelivery, planned: PlannedSend): Promise<void> {
  await expireLeases(fixture, planned)
  await sql`update batch set not_before = null where wave_id = ${planned.waveId}`.execute(fixture.db)
  await sql`update wave set probe_at = clock_timestamp() where id = ${planned.waveId} and parked is not null`.execute(
    fixture.db,
  )
}
