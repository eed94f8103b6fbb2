import { type Command, InvalidArgumentError, Option } from 'commander'
import { insertAudit } from '../db/queries/audit.ts'
import { setDefaultLimit, setLimit } from '../db/queries/ledger.ts'
import type { Channel } from '../domain/channel-plan.ts'
import { monthOf } from '../domain/month.ts'
import { findUnit } from './find-unit.ts'
import { type Frame, operator, withDatabase } from './frame.ts'

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
    .addOption(new Option('--channel <name>').choices(['chat', 'email']).default('chat'))
    .option('--month <YYYY-MM>', 'only this month; otherwise this month and all to come', monthDay)
    .action(withDatabase(setQuota))
}

async function setQuota(
  { db, config, answer }: Frame,
  named: string,
  limit: number,
  { channel, month }: Options,
): Promise<void> {
  const unit = named === 'pool' ? null : await findUnit(db, named)
  const scope = unit?.id ?? 'pool'
  const account = { scope, channel, limit }
  await db.transaction().execute(async (trx) => {
    const unitId = unit?.id ?? null
    const details = { channel, limit, month: month ?? null }
    await insertAudit(trx, {
      unitId,
      actor: operator,
      action: 'set',
      objectKind: 'quota',
      objectId: scope,
      details,
    })
    if (month === undefined) await setDefaultLimit(trx, account)
    await setLimit(trx, { ...account, month: month ?? monthOf(new Date(), config.QUOTA_TIME_ZONE) })
  })
  const when = month === undefined ? 'from this month on' : `in ${month.slice(0, 7)}`
  answer(
    { scope, channel, limit, month: month?.slice(0, 7) ?? null },
    `${unit?.name ?? 'The pool'} may send ${limit} by ${channel} ${when}.`,
  )
}

function pushes(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('A whole number.')
}

function monthDay(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return `${text}-01`
  throw new InvalidArgumentError('As in 2026-12.')
}
