import { type Command, InvalidArgumentError } from 'commander'
import { recomputeMetrics } from '../services/metrics/roll-up.ts'
import { type CommandContext, cliActor, withDatabase } from './command.ts'
import { findUnit } from './find-unit.ts'

/** `carillon metrics recompute` */
export function addMetrics(program: Command): void {
  const metrics = program.command('metrics').description('the counts that GET /v1/metrics reads')
  metrics
    .command('recompute')
    .description('have the workers count the days of a unit again, from the rows that are kept')
    .argument('<unit>', 'id or name of a unit')
    .option('--days <n>', 'the last n days; not those of which rows are past retention', days, 7)
    .action(withDatabase(recompute))
}

async function recompute(
  { db, config, answer }: CommandContext,
  named: string,
  options: { days: number },
): Promise<void> {
  const unit = await findUnit(db, named)
  const { sends, from } = await recomputeMetrics(db, cliActor, config, {
    unitId: unit.id,
    days: options.days,
  })
  answer(
    { unitId: unit.id, from, sends },
    `The workers count the days of ${unit.name} from ${from} on again: ${sends} sends.`,
  )
}

function days(text: string): number {
  const n = Number(text)
  if (Number.isInteger(n) && n >= 1 && n <= 366) return n
  throw new InvalidArgumentError('Give a whole number from 1 to 366.')
}
