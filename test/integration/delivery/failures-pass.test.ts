import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDeliveryFixture, type ScriptedDelivery, withFarEnds } from '../../fixtures/delivery.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import {
  hours,
  isClosed,
  minutes,
  outcomesOf,
  personAt,
  planRun,
  play,
  readMessage,
  sizes,
} from './failure-run.ts'
import { providerFaults } from './provider-faults.ts'

let database: FreshDatabase
let shared: ScriptedDelivery
beforeAll(async () => {
  database = await freshDatabase()
  shared = await makeDeliveryFixture(database.db)
})
afterAll(() => database.drop())

describe('temporary failures', () => {
  const cases = (['chat', 'email'] as const).flatMap((channel) =>
    providerFaults[channel]
      .filter(({ passes }) => passes)
      .map((trouble) => ({ channel, trouble, what: trouble.name })),
  )
  it.each(cases)('leave nothing parked: $what by $channel', async ({ channel, trouble }) => {
    const fixture = await withFarEnds(shared, trouble.timeoutMs)
    const troubled = await planRun(fixture, channel, sizes[channel].small, true)
    await trouble.plant(fixture, personAt(troubled, 'middle'))
    const begun = fixture.clock.offsetMs
    await play(
      fixture,
      [troubled],
      async () => fixture.clock.offsetMs - begun > 3 * minutes || (await isClosed(fixture, troubled)),
      hours,
    )
    await fixture.recover()
    await play(fixture, [troubled], () => isClosed(fixture, troubled), hours)
    const outcomes = new Set((await outcomesOf(fixture, troubled)).values())
    for (const outcome of outcomes) expect(['sent', trouble.ends]).toContain(outcome)
    expect(await readMessage(fixture, troubled)).toMatchObject({ state: 'sent', parked: null, retrying: [] })
  })
})
