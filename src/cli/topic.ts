import type { Command } from 'commander'
import { makeTopic } from '../services/catalogue/topics.ts'
import { type CommandContext, cliActor, localisedName, withDatabase } from './command.ts'
import { findUnit } from './find-unit.ts'

/** `carillon topic create` */
export function addTopic(program: Command): void {
  program
    .command('topic')
    .description('create topics, which people can unsubscribe from')
    .command('create')
    .description('create a topic of a unit')
    .argument('<unit>', 'id or name')
    .requiredOption('--zh <name>', 'its name in zh-TW')
    .option('--en <name>', 'its name in English')
    .action(withDatabase(createTopic))
}

async function createTopic(
  { db, answer }: CommandContext,
  named: string,
  options: { zh: string; en?: string },
) {
  const unit = await findUnit(db, named)
  const id = await makeTopic(db, cliActor, { unitId: unit.id, name: localisedName(options) })
  answer({ id }, `Created topic ${options.zh} of ${unit.name}: ${id}`)
}
