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
import { type CommandContext, cliActor, withDatabase } from './command.ts'
import { withProgressBar } from './progress-bar.ts'
import { formatColumns } from './table.ts'

/** `carillon purge` */
export function addPurge(program: Command): void {
  program
    .command('purge')
    .description('delete the rows past their retention (RETENTION_…_DAYS) now')
    .option('--dry-run', 'only count the rows')
    .action(withDatabase(purge))
}

async function purge(context: CommandContext, { dryRun }: { dryRun?: boolean }): Promise<void> {
  const { db, config, answer } = context
  const expired = await countExpired(db, config)
  if (dryRun) return answer(expired, ['Past retention:', ...table(expired)])
  const failed: FailedKinds = new Map()
  const purged = await purgeAll(context, failed, totalPurged(expired))
  await auditPurge(db, cliActor, purged)
  answer(purged, ['Purged:', ...table(purged)])
  if (failed.size > 0)
    throw new Error(
      `Purging failed for: ${[...failed.keys()].join(', ')}. See the database log for the reason.`,
    )
}

/** Purges slice by slice until no expired row remains, or workers hold all of them. */
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
