import { forgetSignatures, takeOpenEvents } from '../../db/queries/event.ts'
import type { Services } from '../context.ts'
import { type Rounds, startRounds } from '../rounds.ts'
import { settleEvent } from './settle.ts'

/** How often events are looked for whose request ended before their outcome was made, ms. */
const roundMs = 1_000
/** Worked off one after another, all within the time for which they are taken. */
const perRound = 20

/** Works off recorded events without an outcome, until it is stopped. */
export function startEventSweep(services: Services): Rounds {
  return startRounds({ log: services.log, what: 'events', everyMs: roundMs }, () => sweepEvents(services))
}

/** One round; answers whether there may be more. */
export async function sweepEvents(services: Services): Promise<boolean> {
  await forgetSignatures(services.db)
  const events = await takeOpenEvents(services.db, perRound)
  for (const event of events) await settleEvent(services, event)
  return events.length === perRound
}
