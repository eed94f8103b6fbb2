import type { Command } from 'commander'
import {
  added,
  countOld,
  type FailedKinds,
  notePurged,
  type Purged,
  purgeSlice,
  total,
} from '../services/retention.ts'
import { withBar } from './bar.ts'
import { columns, type Frame, operator, withDatabase } from './frame.ts'

/** `carillon purge` */
export function addPurge(program: Command): void {
  program
    .command('purge')
    .description('do away with what is older than RETENTION_… allows, now instead of within the hour')
    .option('--dry-run', 'only say how much there is')
    .action(withDatabase(purge))
}

async function purge(frame: Frame, { dryRun }: { dryRun?: boolean }): Promise<void> {
  const { db, config, answer } = frame
  const old = await countOld(db, config)
  if (dryRun) return answer(old, ['Older than it may get:', ...table(old)])
  const failed: FailedKinds = new Map()
  const purged = await purgeAll(frame, failed, total(old))
  await notePurged(db, operator, purged)
  answer(purged, ['Purged:', ...table(purged)])
  if (failed.size > 0)
    throw new Error(
      `Some kinds could not be purged; the log of the database says why: ${[...failed.keys()].join(', ')}`,
    )
}

/** Slice by slice until nothing old is left, or all of it is in the hands of a worker. */
function purgeAll({ db, config }: Frame, failed: FailedKinds, expected: number): Promise<Purged> {
  return withBar({ total: expected }, async (show) => {
    let purged: Purged = {}
    for (;;) {
      const slice = await purgeSlice(db, config, failed)
      purged = added(purged, slice)
      show(total(purged))
      if (total(slice) === 0) return purged
    }
  })
}

function table(purged: Purged): string[] {
  return columns(Object.entries(purged).map(([kind, n]) => [`  ${kind}`, String(n)]))
}
