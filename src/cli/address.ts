import { type Command, InvalidArgumentError, Option } from 'commander'
import { DateTime } from '../contract/common.ts'
import {
  type Channel,
  channels,
  type ServerVerdict,
  type SuppressionReason,
  serverVerdicts,
  suppressionReasons,
} from '../contract/enums.ts'
import { secretBoxOf } from '../services/secret-box.ts'
import { unbindAddress } from '../services/subjects/addresses.ts'
import {
  liftSince,
  liftSuppression,
  listSuppressed,
  lookUpSuppression,
} from '../services/suppression/suppressions.ts'
import { answerList, type CommandContext, cliActor, withDatabase } from './command.ts'
import { UsageError } from './errors.ts'

/** `carillon address show | list | lift | unbind` */
export function addAddress(program: Command): void {
  const address = program.command('address').description('addresses of subjects, and suppressed ones')
  const channel = () => new Option('--channel <name>').choices(channels).default('email')
  address
    .command('show')
    .description('whether an address is suppressed, since when and why')
    .argument('<address>')
    .addOption(channel())
    .action(withDatabase(show))
  address
    .command('lift')
    .description(
      'send to a suppressed address again, or to all that mail servers had suppressed since an instant',
    )
    .argument('[address]', 'omitted: with --since')
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .option(
      '--since <instant>',
      'all that are suppressed since then, ISO 8601; never for complaints',
      instant,
    )
    .addOption(new Option('--why <reason>', 'with --since: only these').choices(serverVerdicts))
    .addOption(channel())
    .action(withDatabase(lift))
  address
    .command('list')
    .description(
      'list the suppressions since an instant, with uids where the addresses are bound, never with addresses',
    )
    .requiredOption('--since <instant>', 'ISO 8601, such as 2026-12-01T09:00:00+08:00', instant)
    .addOption(new Option('--why <reason>', 'only these').choices(suppressionReasons))
    .option('--limit <n>', 'at most this many, the newest', Number, 1_000)
    .action(withDatabase(list))
  address
    .command('unbind')
    .description('remove the address of a subject; a suppression stays')
    .argument('<uid>', 'uid or subject id')
    .addOption(channel())
    .action(withDatabase(unbind))
}

type OnChannel = { channel: Channel }

async function show(context: CommandContext, address: string, { channel }: OnChannel): Promise<void> {
  const status = await lookUpSuppression(storeOf(context), cliActor, { channel, address })
  const { suppression } = status
  context.answer(
    status,
    suppression ? `Suppressed since ${suppression.since} (${suppression.reason}).` : 'Not suppressed.',
  )
}

function instant(text: string): Date {
  const parsed = DateTime.safeParse(text)
  if (!parsed.success) throw new InvalidArgumentError('Give an instant, such as 2026-12-01T09:00:00+08:00.')
  return new Date(parsed.data)
}

async function list(
  context: CommandContext,
  { since, why, limit }: { since: Date; why?: SuppressionReason; limit: number },
): Promise<void> {
  const items = await listSuppressed(
    context.db,
    cliActor,
    { since, whys: why ? [why] : suppressionReasons },
    limit,
  )
  answerList(context, items, {
    since: ({ since }) => since,
    why: ({ why }) => why,
    server: ({ server }) => server ?? '',
    channel: ({ channel }) => channel,
    uid: ({ uid }) => uid ?? '',
  })
}

async function lift(
  context: CommandContext,
  address: string | undefined,
  { channel, reason, since, why }: OnChannel & { reason: string; since?: Date; why?: ServerVerdict },
): Promise<void> {
  if ((address === undefined) === (since === undefined))
    throw new UsageError('Name an address, or all since an instant with --since.')
  if (since) {
    const items = await liftSince(context.db, cliActor, reason, { since, whys: why ? [why] : serverVerdicts })
    return context.answer({ lifted: items.length, items }, `Lifted: ${items.length}.`)
  }
  if (address === undefined) return
  const lifted = await liftSuppression(storeOf(context), cliActor, { channel, address, reason })
  context.answer(lifted, `Lifted. It was suppressed since ${lifted.since} (${lifted.reason}).`)
}

async function unbind({ db, answer }: CommandContext, uid: string, { channel }: OnChannel): Promise<void> {
  const done = await unbindAddress(db, { unitId: null, actor: cliActor }, { uid, channel })
  answer(done, `The subject ${done.subjectId} has no ${channel} address now.`)
}

function storeOf({ db, config }: CommandContext) {
  return { db, secrets: secretBoxOf(config) }
}
