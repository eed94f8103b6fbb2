import { type Command, InvalidArgumentError, Option } from 'commander'
import { CreateCategory } from '../contract/admin/category.ts'
import {
  type Layer,
  layers,
  type PlanMode,
  planModes,
  type UnknownPolicy,
  unknownPolicies,
} from '../contract/enums.ts'
import type { LocalisedText } from '../contract/localised-text.ts'
import { createCategory as saveCategory } from '../services/admin/categories.ts'
import { makeTopic } from '../services/catalogue/topics.ts'
import { type CommandContext, cliActor, parseList, withDatabase } from './command.ts'
import { UsageError } from './errors.ts'
import { findUnit } from './find-unit.ts'

type CategoryOptions = {
  zh: string
  en?: string
  layer: Layer
  channels: string[]
  mode: PlanMode
  consentScope?: string
  auto?: number
  quiet?: string
  cap?: string
  onUnknown: UnknownPolicy
}

/** `carillon category create`, `carillon topic create` */
export function addCatalogue(program: Command): void {
  program
    .command('category')
    .description('create categories of messages')
    .command('create')
    .description('create a category for all units')
    .argument('<id>', 'short id, by which producers name the category')
    .requiredOption('--zh <name>', 'its name in zh-TW')
    .option('--en <name>', 'its name in English')
    .addOption(
      new Option('--layer <layer>', 'mandatory ignores preferences and topics, never consent or a block')
        .choices(layers)
        .default('service'),
    )
    .option(
      '--channels <names>',
      'channels in order of preference, separated by commas',
      (names) => parseList(names),
      ['chat'],
    )
    .addOption(
      new Option('--mode <mode>', "send on the person's first available channel, or on all of them")
        .choices(planModes)
        .default('first_available'),
    )
    .option('--consent-scope <scope>', 'send only to people who have given this consent')
    .option('--auto <people>', 'approve messages to at most this many people automatically', people)
    .option('--quiet <hours>', "start no sends in these hours of the unit's time zone, e.g. 22:00-07:00")
    .option('--cap <n/days>', 'at most n messages per person in this many days, e.g. 3/7')
    .addOption(
      new Option(
        '--on-unknown <what>',
        'what to do with mail whose outcome is unknown: keep it as unknown, or repeat it once',
      )
        .choices(unknownPolicies)
        .default('keep'),
    )
    .action(withDatabase(createCategory))
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

async function createCategory(
  { db, answer }: CommandContext,
  id: string,
  options: CategoryOptions,
): Promise<void> {
  const { quiet, cap, auto } = options
  const [from, to] = quiet?.split('-') ?? []
  const [n, days] = cap?.split('/').map(Number) ?? []
  const asked = CreateCategory.safeParse({
    id,
    name: nameOf(options),
    layer: options.layer,
    channelPlan: { mode: options.mode, channels: options.channels },
    consentScope: options.consentScope,
    quietHours: quiet === undefined ? undefined : { from, to },
    frequencyCap: cap === undefined ? undefined : { n, days },
    onUnknown: options.onUnknown,
    ...(auto !== undefined && { approval_rule: 'auto', autoMaxRecipients: auto }),
  })
  if (!asked.success)
    throw new UsageError(
      asked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    )
  await saveCategory(db, cliActor, asked.data)
  answer({ id }, `Created category ${id}.`)
}

async function createTopic(
  { db, answer }: CommandContext,
  named: string,
  options: { zh: string; en?: string },
) {
  const unit = await findUnit(db, named)
  const id = await makeTopic(db, cliActor, { unitId: unit.id, name: nameOf(options) })
  answer({ id }, `Created topic ${options.zh} of ${unit.name}: ${id}`)
}

function nameOf({ zh, en }: { zh: string; en?: string }): LocalisedText {
  return { 'zh-TW': zh, ...(en && { en }) }
}

function people(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number of people.')
}
