import type { Command } from 'commander'
import { audienceDimensions } from '../contract/enums.ts'
import { listKeys } from '../db/queries/identity/key.ts'
import { createKey, revokeKey } from '../services/admin/keys.ts'
import { answerList, cliActor, parseList, withDatabase } from './command.ts'
import { findUnit } from './find-unit.ts'

type Options = {
  categories?: string[]
  dimensions?: string[]
  individualTargeting?: boolean
  groupWriting?: boolean
  handoffReply?: boolean
}

/** `carillon key create | revoke | list` */
export function addKey(program: Command): void {
  const key = program.command('key').description('create, revoke or list producer keys')
  key
    .command('create')
    .description('issue a key for a unit; it is shown only once')
    .argument('<unit>', 'id or name')
    .argument('<name>', 'what the key is for')
    .option('--categories <ids>', 'allow only these categories, separated by commas', parseList)
    .option(
      '--dimensions <names>',
      `allow only these dimensions of audiences: all, ${audienceDimensions.join(', ')}`,
      parseList,
    )
    .option('--individual-targeting', 'allow audiences of individuals')
    .option('--group-writing', 'allow creating groups, and changing them and their members')
    .option('--handoff-reply', 'allow replying to people in handoffs')
    .action(
      withDatabase(async ({ db, answer }, named: string, name: string, options: Options) => {
        const unit = await findUnit(db, named)
        const apiKey = await createKey(db, cliActor, {
          unitId: unit.id,
          name,
          categories: options.categories ?? null,
          dimensions: options.dimensions ?? null,
          individualTargeting: options.individualTargeting ?? false,
          groupWriting: options.groupWriting ?? false,
          handoffReply: options.handoffReply ?? false,
        })
        answer(apiKey, [`Created key ${apiKey.id} of ${unit.name}. It is shown only once:`, '', apiKey.key])
      }),
    )
  key
    .command('revoke')
    .description('revoke a key, effective at once')
    .argument('<id>', 'key id: the part between hub_ and the next _')
    .action(
      withDatabase(async ({ db, answer }, id: string) => {
        await revokeKey(db, cliActor, id)
        answer({ id }, `Revoked key ${id}.`)
      }),
    )
  key
    .command('list')
    .description('list keys, newest first, without their secrets')
    .argument('[unit]', 'id or name')
    .action(
      withDatabase(async (context, named: string | undefined) => {
        const { db } = context
        const keys = await listKeys(db, { unitId: named && (await findUnit(db, named)).id })
        answerList(context, keys, {
          id: ({ id }) => id,
          state: ({ revokedAt }) => (revokedAt ? `revoked ${revokedAt.toISOString()}` : 'active'),
          unit: ({ unitId: of }) => of,
          name: ({ name }) => name,
        })
      }),
    )
}
