import { beforeAll, expect, it } from 'vitest'
import { secondsFromNow } from '../../fixtures/signed-event.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import {
  bindEvents,
  eventOf,
  madeByEvents,
  sendSignedEvent,
  setUpEvents,
  takesEvents,
} from './world/events.ts'
import { startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { recordMeasurement, spread } from './world/measurements.ts'
import { type Crowd, insertCrowd } from './world/people.ts'
import type { PlannedMessage } from './world/producer.ts'
import { installSeams, type Seam } from './world/seams.ts'
import { startVictim, type Victim } from './world/victim.ts'
import { untilObserved, untilSent } from './world/wait-for.ts'

const actedOnMs = 5_000

let crowd: Crowd
const installation = forFile(startInstallation)
const seams = forFile(() => installSeams(installation.databaseUrl))
const survivor = forFile(() => installation.startApi(takesEvents))
beforeAll(async () => {
  await installation.startWorker()
  crowd = await insertCrowd(installation.db, 2)
  await bindEvents(installation, survivor, await setUpEvents(installation, survivor))
  const first = installation.plan(crowd)
  await sendSignedEvent(survivor, first)
  await untilSent(installation, [first]) // from here on the worker is warm
})

/** An event, and the death of the API while it is held at the seam. Returns the response to its producer. */
async function killAt(seam: Seam, event: PlannedMessage, timestamp: number): Promise<number> {
  const victim = await startVictim(installation, seams, takesEvents)
  if (seam === 'before the wake') victim.toTemporal.set('silent')
  else await seams.hold(seam)
  const call = sendSignedEvent(victim.api, event, { timestamp })
  if (seam === 'before the wake') await call
  else await seams.untilHeld(1)
  if (seam === 'before the reply') await commitUnheard(victim, event)
  await victim.kill()
  return (await call).status
}

async function commitUnheard({ toPostgres }: Victim, event: PlannedMessage): Promise<void> {
  toPostgres.set('mute')
  await seams.release()
  await eventually(async () => expect((await eventOf(installation, event))?.messageId).toBeTruthy())
}

const withMessage = { messageId: expect.any(String), error: null }
const open = { messageId: null, error: null }

it.each([
  { seam: 'before the record', left: undefined },
  { seam: 'before the write', left: open },
  { seam: 'before the commit', left: open },
  { seam: 'before the reply', left: withMessage },
  { seam: 'before the wake', left: withMessage },
] as const)('an API that dies $seam of an event leads to one message', patient, async ({ seam, left }) => {
  const { rounds } = countsOf('eventKilled')
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const event = installation.plan(crowd)
    const timestamp = secondsFromNow(0)
    const status = await killAt(seam, event, timestamp)
    expect(status).toBe(seam === 'before the wake' ? 202 : 0)
    expect(await eventOf(installation, event)).toEqual(left)
    if (!left)
      expect((await sendSignedEvent(survivor, event, { timestamp })).body).toMatchObject({ duplicate: false })
    times.push(await untilActedOn(event))
    const again = await sendSignedEvent(survivor, event, { timestamp })
    expect(again.body).toMatchObject({ accepted: true, duplicate: true, messageId: event.id })
    await untilSent(installation, [event])
  }
  expect(await madeByEvents(installation)).toBe(installation.planned.length)
  await expectInvariants(installation)
  recordMeasurement('eventKilled', `${seam}: ${rounds} events; acted on after: ${spread(times)}`)
})

/** Without another request: a worker settles it. */
async function untilActedOn(event: PlannedMessage): Promise<number> {
  const begun = performance.now()
  await eventually(
    async () => {
      event.id = (await eventOf(installation, event))?.messageId ?? ''
      expect(event.id).not.toBe('')
    },
    { limitMs: actedOnMs },
  )
  await untilObserved(installation, [event], actedOnMs)
  return performance.now() - begun
}
