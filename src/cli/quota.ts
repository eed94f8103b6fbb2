import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Channel, channels } from '../contract/enums.ts'
import { setQuota as setLimit } from '../services/admin/quota.ts'
import { type CommandContext, cliActor, withDatabase } from './command.ts'
import { findUnit } from './find-unit.ts'

type Options = { channel: Channel; month?: string }

/** `carillon quota set` */
export function addQuota(program: Command): void {
  program
    .command('quota')
    .description('how much may be sent in a month')
    .command('set')
    .description('set the limit of a unit or of the shared pool, in pushes; never below what is used already')
    .argument('<unit>', 'id or name, or pool')
    .argument('<limit>', 'pushes in a month', pushes)
    .addOption(new Option('--channel <name>').choices(channels).default('chat'))
    .option('--month <YYYY-MM>', 'only this month; otherwise this month and all to come', month)
    .action(withDatabase(setQuota))
}

async function setQuota(
  { db, config, answer }: CommandContext,
  named: string,
  limit: number,
  { channel, month }: Options,
): Promise<void> {
  const unit = named === 'pool' ? null : await findUnit(db, named)
  const scope = unit?.id ?? 'pool'
  await setLimit(db, cliActor, { quotaTimeZone: config.QUOTA_TIME_ZONE }, { scope, channel, limit, month })
  const when = month === undefined ? 'from this month on' : `in ${month}`
  answer(
    { scope, channel, limit, month: month ?? null },
    `${unit?.name ?? 'The pool'} may send ${limit} by ${channel} ${when}.`,
  )
}

function pushes(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('A whole number.')
}

function month(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new InvalidArgumentError('As in 2026-12.')
}
