import { afterAll, describe, expect, it } from 'vitest'
import { readChannelStatuses } from '../../../../src/db/queries/delivery/provider.ts'
import { countParked } from '../../../../src/db/queries/run/parked.ts'
import { forSends, withFarEnds } from '../../../fixtures/delivery.ts'
import { recordMeasurement } from '../world/measurements.ts'
import {
  casesOf,
  expectOthersUndelayed,
  hours,
  isClosed,
  minutes,
  planRun,
  play,
  readMessage,
  sizes,
} from './failure-run.ts'

const { database, shared } = forSends()

describe('a recipient by chat', () => {
  const cases = casesOf('chat')
  afterAll(() =>
    recordMeasurement('chatAnswers', `${cases.length} messages, each with one recipient who fails`),
  )
  it.each(cases)('with $what, $at of a $size message, delays no other recipient', async (one) => {
    await expectOthersUndelayed(shared, 'chat', one)
  })
})

describe('a batch that keeps failing while others succeed', () => {
  it('is shown with its reason, in the message, in health and in the metrics, only while it lasts', async () => {
    const fixture = await withFarEnds(shared)
    const failing = await planRun(fixture, 'chat', sizes.chat.large, false)
    await fixture.chat.fault({ to: failing.people[0]!.address, status: 500, times: 1_000 })
    const others = await planRun(fixture, 'chat', 3, true)
    const begun = fixture.clock.offsetMs
    await play(fixture, [failing, others], async () => fixture.clock.offsetMs - begun > 3 * minutes, hours)

    expect(await readMessage(fixture, failing)).toMatchObject({
      problem: 'provider',
      parked: { problem: 'provider', nextProbeAt: expect.any(String) },
      retrying: [{ channel: 'chat', reason: 'http_500', deliveries: 500, tries: expect.any(Number) }],
      stats: { sent: 10, pending: 500 },
    })
    const [standing] = await readChannelStatuses(database.db)
    expect(standing).toMatchObject({ channel: 'chat', retrying: 1, restsUntil: null })
    expect(standing!.oldestSeconds).toBeGreaterThan(60)
    expect(await countParked(database.db)).toMatchObject({ message: { provider: 1 } })

    await fixture.recover()
    await play(fixture, [failing], () => isClosed(fixture, failing), hours)
    expect(await readMessage(fixture, failing)).toMatchObject({
      parked: null,
      retrying: [],
      stats: { sent: 510, pending: 0 },
    })
    expect((await readChannelStatuses(database.db))[0]).toMatchObject({ retrying: 0 })
  })
})
