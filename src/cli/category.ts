import { type Command, InvalidArgumentError, Option } from 'commander'
import type { z } from 'zod'
import { CreateCategory, EditCategory } from '../contract/admin/category.ts'
import {
  type Layer,
  type LinkMode,
  layers,
  linkModes,
  type PlanMode,
  planModes,
  type UnknownPolicy,
  unknownPolicies,
} from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { createCategory, editCategory, listAllCategories } from '../services/admin/categories.ts'
import {
  answerPage,
  type CommandContext,
  cliActor,
  localisedName,
  type PageOptions,
  parseList,
  withDatabase,
  withPages,
} from './command.ts'
import { UsageError } from './errors.ts'

/** What a category can be given; `false`: what is taken from it, by an option such as `--no-quiet`. */
type CategoryOptions = {
  zh?: string
  en?: string
  layer?: Layer
  channels?: string[]
  mode?: PlanMode
  consentScope?: string | false
  auto?: number | false
  quiet?: string | false
  cap?: string | false
  onUnknown?: UnknownPolicy
  acknowledgeZh?: string
  acknowledgeEn?: string
  acknowledge?: boolean
  holdSeconds?: number
  links?: LinkMode
  enabled?: boolean
}

/** `carillon category create | edit | list` */
export function addCategory(program: Command): void {
  const category = program.command('category').description('create, edit or list categories of messages')
  const create = category
    .command('create')
    .description('create a category for all units')
    .argument('<id>', 'short id, by which producers name the category')
    .requiredOption('--zh <name>', 'its name in zh-TW')
  withRules(create, { layer: 'service', mode: 'first_available', channels: ['chat'] }).action(
    withDatabase(async ({ db, answer }, id: string, options: CategoryOptions) => {
      await createCategory(db, cliActor, parsed(CreateCategory, { id, ...fieldsOf(options) }))
      answer({ id }, `Created category ${id}.`)
    }),
  )
  const edit = category
    .command('edit')
    .description('change the given fields of a category, for all units; --no-… removes a rule')
    .argument('<id>', 'id of the category')
    .option('--zh <name>', 'its name in zh-TW, together with --en')
  withRules(edit).action(withDatabase(changeCategory))
  withPages(category.command('list').description('list all categories by id, disabled ones included')).action(
    withDatabase(async (context, options: PageOptions) => {
      answerPage(context, await listAllCategories(context.db, options), {
        id: ({ id }) => id,
        state: ({ enabled }) => (enabled ? 'enabled' : 'disabled'),
        layer: ({ layer }) => layer,
        approval: (one) => (one.approval_rule === 'auto' ? `auto ${one.autoMaxRecipients}` : 'manual'),
        hold: ({ holdSeconds }) => `${holdSeconds} s`,
        name: ({ name }) => name['zh-TW'],
      })
    }),
  )
}

type Defaults = Pick<CategoryOptions, 'layer' | 'mode' | 'channels'>

/** Adds the options of `CategoryOptions`, but for the name in zh-TW. */
function withRules(command: Command, defaults: Defaults = {}): Command {
  const defaultAs = (option: Option, value: unknown) => (value === undefined ? option : option.default(value))
  const choice = (flags: string, about: string, choices: readonly string[]) =>
    new Option(flags, about).choices(choices)
  const layer = choice(
    '--layer <layer>',
    'mandatory ignores preferences and topics, never consent or a block',
    layers,
  )
  const mode = choice(
    '--mode <mode>',
    "send on the person's first available channel, or on all of them",
    planModes,
  )
  const channels = new Option('--channels <names>', 'channels in order of preference, separated by commas')
  return command
    .option('--en <name>', 'its name in English')
    .addOption(defaultAs(layer, defaults.layer))
    .addOption(
      defaultAs(
        channels.argParser((names: string) => parseList(names)),
        defaults.channels,
      ),
    )
    .addOption(defaultAs(mode, defaults.mode))
    .option('--consent-scope <scope>', 'send only to people who have given this consent')
    .option('--no-consent-scope', 'ask for no consent')
    .option('--auto <people>', 'approve messages to at most this many people automatically', wholeNumber)
    .option('--no-auto', 'let a person approve every message')
    .option('--quiet <hours>', "start no sends in these hours of the unit's time zone, e.g. 22:00-07:00")
    .option('--no-quiet', 'have no quiet hours')
    .option('--cap <n/days>', 'at most n messages per person in this many days, e.g. 3/7')
    .option('--no-cap', 'limit no number of messages')
    .addOption(
      choice(
        '--on-unknown <what>',
        'what to do with mail whose outcome is unknown: keep it as unknown (the default), or repeat it once',
        unknownPolicies,
      ),
    )
    .option('--acknowledge-zh <text>', 'what the chat answers a tap, in zh-TW; {label} is the label tapped')
    .option('--acknowledge-en <text>', 'the same in English')
    .option('--no-acknowledge', 'answer no tap')
    .option(
      '--hold-seconds <n>',
      `hold a message for 0 to ${limits.holdSeconds} seconds after a person has approved it, so that it can be cancelled`,
      wholeNumber,
    )
    .addOption(
      choice(
        '--links <how>',
        'let links lead straight to their URL (direct, the default), or through Carillon, which counts clicks (tracked)',
        linkModes,
      ),
    )
    .option('--enabled', 'let its messages be created and submitted (the default)')
    .option('--no-enabled', 'let no message of it be created or submitted')
}

/** The body of a request that asks for the same; what is wrong with it, the schema says. */
function fieldsOf(options: CategoryOptions) {
  const { zh, en, layer, mode, channels, consentScope, auto, quiet, cap } = options
  const { onUnknown, acknowledge, acknowledgeZh, acknowledgeEn, holdSeconds, links, enabled } = options
  const [from, to] = quiet ? quiet.split('-') : []
  const [messages, days] = cap ? cap.split('/').map(Number) : []
  const acknowledgement = {
    'zh-TW': acknowledgeZh,
    ...(acknowledgeEn !== undefined && { en: acknowledgeEn }),
  }
  return {
    ...(zh !== undefined && { name: localisedName({ zh, ...(en !== undefined && { en }) }) }),
    ...(layer && { layer }),
    ...(channels && mode && { channelPlan: { mode, channels } }),
    ...(consentScope !== undefined && { consentScope: consentScope || null }),
    ...(auto !== undefined &&
      (auto === false ? { approval_rule: 'manual' } : { approval_rule: 'auto', autoMaxRecipients: auto })),
    ...(quiet !== undefined && { quietHours: quiet === false ? null : { from, to } }),
    ...(cap !== undefined && { frequencyCap: cap === false ? null : { messages, days } }),
    ...(onUnknown && { onUnknown }),
    ...(acknowledge === false
      ? { acknowledgement: null }
      : (acknowledgeZh ?? acknowledgeEn) !== undefined && { acknowledgement }),
    ...(holdSeconds !== undefined && { holdSeconds }),
    ...(links && { links }),
    ...(enabled !== undefined && { enabled }),
  }
}

async function changeCategory(
  { db, answer }: CommandContext,
  id: string,
  options: CategoryOptions,
): Promise<void> {
  if (options.en !== undefined && options.zh === undefined)
    throw new UsageError('--en changes the name together with --zh: give both.')
  if ((options.channels === undefined) !== (options.mode === undefined))
    throw new UsageError('--channels and --mode are one plan: give both.')
  const category = await editCategory(db, cliActor, id, parsed(EditCategory, fieldsOf(options)))
  answer(category, `Edited category ${id}.`)
}

/** @throws UsageError that names every fault */
function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  throw new UsageError(
    result.error.issues
      .map(({ path, message }) => [path.join('.'), message].filter((part) => part !== '').join(': '))
      .join('; '),
  )
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number.')
}
