import type { Command } from 'commander'
import {
  addPurgeCounts,
  auditPurge,
  countExpired,
  type FailedKinds,
  type PurgeCounts,
  purgeSlice,
  totalPurged,
} from '../services/retention.ts'
import { type CommandContext, cliActor, formatColumns, withDatabase } from './command.ts'
import { withProgressBar } from './progress-bar.ts'

/** `carillon purge` */
export function addPurge(program: Command): void {
  program
    .command('purge')
    .description('do away with what is older than RETENTION_… allows, now instead of within the hour')
    .option('--dry-run', 'only say how much there is')
    .action(withDatabase(purge))
}

async function purge(frame: CommandContext, { dryRun }: { dryRun?: boolean }): Promise<void> {
  const { db, config, answer } = frame
  const old = await countExpired(db, config)
  if (dryRun) return answer(old, ['Older than it may get:', ...table(old)])
  const failed: FailedKinds = new Map()
  const purged = await purgeAll(frame, failed, totalPurged(old))
  await auditPurge(db, cliActor, purged)
  answer(purged, ['Purged:', ...table(purged)])
  if (failed.size > 0)
    throw new Error(
      `Some kinds could not be purged; the log of the database says why: ${[...failed.keys()].join(', ')}`,
    )
}

/** Slice by slice until nothing old is left, or all of it is in the hands of a worker. */
function purgeAll(
  { db, config }: CommandContext,
  failed: FailedKinds,
  expected: number,
): Promise<PurgeCounts> {
  return withProgressBar({ total: expected }, async (show) => {
    let purged: PurgeCounts = {}
    for (;;) {
      const slice = await purgeSlice(db, config, failed)
      purged = addPurgeCounts(purged, slice)
      show(totalPurged(purged))
      if (totalPurged(slice) === 0) return purged
    }
  })
}

function table(purged: PurgeCounts): string[] {
  return formatColumns(Object.entries(purged).map(([kind, n]) => [`  ${kind}`, String(n)]))
}
