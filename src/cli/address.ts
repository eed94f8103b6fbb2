import { type Command, Option } from 'commander'
import { type Channel, channels } from '../contract/enums.ts'
import { listAddressConflicts } from '../db/queries/subject/suppression.ts'
import { liftSuppression, lookUpSuppression } from '../services/admin/suppressions.ts'
import { secretBoxOf } from '../services/secret-box.ts'
import { unbindAddress } from '../services/subjects/addresses.ts'
import { auditReading } from '../services/subjects/find.ts'
import { answerList, type CommandContext, cliActor, withDatabase } from './command.ts'

/** `carillon address show | lift | unbind | conflicts` */
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
    .description('send to a suppressed address again')
    .argument('<address>')
    .requiredOption('--reason <text>', 'why; it stands in the audit log')
    .addOption(channel())
    .action(withDatabase(lift))
  address
    .command('unbind')
    .description('remove the address of a subject; a suppression stays')
    .argument('<uid>', 'uid or subject id')
    .addOption(channel())
    .action(withDatabase(unbind))
  address
    .command('conflicts')
    .description('list e-mail addresses that several subjects have in different spellings')
    .action(withDatabase(listConflicts))
}

type OnChannel = { channel: Channel }

async function show(context: CommandContext, address: string, { channel }: OnChannel): Promise<void> {
  const found = await lookUpSuppression(storeOf(context), cliActor, { channel, address })
  const { suppression } = found
  context.answer(
    found,
    suppression ? `Suppressed since ${suppression.since} (${suppression.why}).` : 'Not suppressed.',
  )
}

async function lift(
  context: CommandContext,
  address: string,
  { channel, reason }: OnChannel & { reason: string },
): Promise<void> {
  const lifted = await liftSuppression(storeOf(context), cliActor, { channel, address, reason })
  context.answer(lifted, `Lifted. It was suppressed since ${lifted.since} (${lifted.why}).`)
}

async function unbind({ db, answer }: CommandContext, uid: string, { channel }: OnChannel): Promise<void> {
  const done = await unbindAddress(db, { unitId: null, actor: cliActor }, { uid, channel })
  answer(done, `The subject ${done.subjectId} has no ${channel} address now.`)
}

async function listConflicts(context: CommandContext): Promise<void> {
  const { db } = context
  const conflicts = await listAddressConflicts(db)
  for (const { subjectId } of conflicts)
    await auditReading(db, { unitId: null, actor: cliActor }, subjectId, 'address')
  answerList(context, conflicts, {
    uid: ({ uid }) => uid,
    address: ({ address }) => address,
    bound: ({ boundAt }) => boundAt.toISOString(),
  })
}

function storeOf({ db, config }: CommandContext) {
  return { db, secrets: secretBoxOf(config) }
}
