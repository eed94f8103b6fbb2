import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Channel, channels } from '../contract/enums.ts'
import { getQuota, setQuota as setLimit } from '../services/admin/quota.ts'
import { answerPage, type CommandContext, cliActor, withDatabase } from './command.ts'
import { findUnit } from './find-unit.ts'

type Options = { channel: Channel; month?: string }

/** `carillon quota set | list` */
export function addQuota(program: Command): void {
  const quota = program.command('quota').description('set or list monthly quota')
  quota
    .command('set')
    .description(
      'set the limit of a unit or of the shared pool, in pushes; it cannot be less than is already used',
    )
    .argument('<unit>', 'id or name of a unit, or pool')
    .argument('<limit>', 'pushes per month', pushes)
    .addOption(new Option('--channel <name>', 'channel of the limit').choices(channels).default('chat'))
    .option('--month <YYYY-MM>', 'only this month; default: the current month and later ones', month)
    .action(withDatabase(setQuota))
  quota
    .command('list')
    .description('list limit, used and reserved pushes of a unit or of the shared pool, by channel')
    .argument('<unit>', 'id or name of a unit, or pool')
    .option('--month <YYYY-MM>', 'default: the current month', month)
    .action(withDatabase(listQuota))
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
  const when = month === undefined ? 'a month, from this month on' : `in ${month}`
  answer(
    { scope, channel, limit, month: month ?? null },
    `Set the limit of ${unit?.name ?? 'the pool'} on ${channel} to ${limit} pushes ${when}.`,
  )
}

async function listQuota(
  context: CommandContext,
  named: string,
  { month }: { month?: string },
): Promise<void> {
  const { db, config } = context
  const scope = named === 'pool' ? named : (await findUnit(db, named)).id
  const page = await getQuota(db, { quotaTimeZone: config.QUOTA_TIME_ZONE }, { scope, month })
  answerPage(context, page, {
    month: (account) => account.month,
    channel: ({ channel }) => channel,
    limit: ({ limit }) => String(limit),
    used: ({ committed }) => String(committed),
    reserved: ({ reserved }) => String(reserved),
  })
}

function pushes(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number.')
}

function month(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new InvalidArgumentError('Give a month such as 2026-12.')
}
