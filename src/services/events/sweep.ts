import { forgetSignatures, putOffEvent, takeOpenEvent } from '../../db/queries/event/event.ts'
import type { Services } from '../context.ts'
import { type Rounds, startLanes, startRounds } from '../rounds.ts'
import { settleEvent } from './settle.ts'

/** How often events are looked for whose request ended before their outcome was made, ms. */
const roundMs = 1_000
/** Side by side: one that waits for a lock takes seconds to fail. */
const lanes = 4
/** How often signatures are forgotten, ms; they are kept for ten minutes. */
const forgetMs = 10_000

/** Works off recorded events without an outcome, until it is stopped. */
export function startEventSweep(services: Services): Rounds {
  const about = { log: services.log, what: 'events', everyMs: roundMs, lanes }
  return startLanes(about, () => settleNextEvent(services))
}

/** Makes the outcome of the next event, or puts it off where that cannot be done now. False: there is none. */
export async function settleNextEvent(services: Services): Promise<boolean> {
  const event = await takeOpenEvent(services.db)
  if (!event) return false
  await settleEvent(services, event).catch(async (err: unknown) => {
    const about = await putOffEvent(services.db, event)
    services.log.warn(
      { source: event.source, ...about, err },
      'An event could not be worked off, and was put off',
    )
  })
  return true
}

/** Forgets signatures that are past their replay window, until it is stopped. */
export function startForgettingSignatures({ db, log }: Pick<Services, 'db' | 'log'>): Rounds {
  return startRounds({ log, what: 'signatures', everyMs: forgetMs }, async () => {
    await forgetSignatures(db)
    return false
  })
}
