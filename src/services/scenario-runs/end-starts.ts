import {
  countRuns,
  deferStart,
  endStart,
  failuresOf,
  takeWatchedStart,
  type WatchedStart,
  watchOn,
} from '../../db/queries/scenario-run/start-end.ts'
import { shortOf } from '../../domain/message/shortfall.ts'
import type { Services } from '../context.ts'
import { processNext } from '../queue.ts'

/**
 * Counts the runs of the next start of many conversations. Once each person was told something or cannot be, a start that
 * failed with too many is recorded and told, by the rule of sends; one that has not is counted again until all of its
 * conversations are over. Returns false if none is due.
 */
export function endNextStart(services: Pick<Services, 'db' | 'log'>): Promise<boolean> {
  const { log } = services
  return processNext<WatchedStart>(services, {
    take: takeWatchedStart,
    async process(trx, { id: startId, scenarioId, unitId }) {
      const { reached, failed, undecided, open } = await countRuns(trx, startId)
      const short = undecided === 0 ? shortOf({ reached, unknown: 0, failed }) : null
      if (!short && open) return watchOn(trx, startId)
      const shortfall = short && { ...short, reasons: await failuresOf(trx, startId) }
      await endStart(trx, startId, shortfall)
      if (shortfall)
        log?.warn(
          { startId, scenarioId, unitId, ...shortfall },
          'A start of conversations failed with too many',
        )
    },
    async defer(db, { id: startId }) {
      await deferStart(db, startId)
      return { startId }
    },
  })
}
