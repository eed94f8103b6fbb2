import { describe, expect, it } from 'vitest'
import { forSends, withFarEnds } from '../../../fixtures/delivery.ts'
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

const { shared } = forSends()

describe('temporary failures', () => {
  const cases = (['chat', 'email'] as const).flatMap((channel) =>
    providerFaults[channel]
      .filter(({ passes }) => passes)
      .map((fault) => ({ channel, fault, what: fault.name })),
  )
  it.each(cases)('leave nothing parked: $what by $channel', async ({ channel, fault }) => {
    const fixture = await withFarEnds(shared, fault.timeoutMs)
    const failing = await planRun(fixture, channel, sizes[channel].small, true)
    await fault.plant(fixture, personAt(failing, 'middle'))
    const begun = fixture.clock.offsetMs
    await play(
      fixture,
      [failing],
      async () => fixture.clock.offsetMs - begun > 3 * minutes || (await isClosed(fixture, failing)),
      hours,
    )
    await fixture.recover()
    await play(fixture, [failing], () => isClosed(fixture, failing), hours)
    const outcomes = new Set((await outcomesOf(fixture, failing)).values())
    for (const outcome of outcomes) expect(['sent', fault.ends]).toContain(outcome)
    expect(await readMessage(fixture, failing)).toMatchObject({ state: 'sent', parked: null, retrying: [] })
  })
})
