import { type Command, InvalidArgumentError, Option } from 'commander'
import type { LocalisedText } from '../contract/localised-text.ts'
import type { FrequencyCap } from '../db/queries/audience/gates.ts'
import type { Channel } from '../domain/channel-plan.ts'
import type { QuietHours } from '../domain/quiet-hours.ts'
import { createCategory as createCategoryRow } from '../services/admin/categories.ts'
import { makeTopic } from '../services/topics.ts'
import { findUnit } from './find-unit.ts'
import { type Frame, list, operator, withDatabase } from './frame.ts'

type CategoryOptions = {
  zh: string
  en?: string
  layer: 'mandatory' | 'service' | 'promotional'
  channels: Channel[]
  mode: 'first_available' | 'all'
  consentScope?: string
  auto?: number
  quiet?: QuietHours
  cap?: FrequencyCap
  onUnknown: 'keep' | 'repeat'
}

/** `carillon category create`, `carillon topic create` */
export function addCatalogue(program: Command): void {
  program
    .command('category')
    .description('the kinds of messages')
    .command('create')
    .description('make a category for all units')
    .argument('<id>', 'a short word, as producers will write it')
    .requiredOption('--zh <name>', 'its name in zh-TW')
    .option('--en <name>', 'its name in English')
    .addOption(
      new Option('--layer <layer>', 'mandatory ignores preferences, never consent')
        .choices(['mandatory', 'service', 'promotional'])
        .default('service'),
    )
    .option('--channels <names>', 'in order of preference, separated by commas', channelList, ['chat'])
    .addOption(new Option('--mode <mode>').choices(['first_available', 'all']).default('first_available'))
    .option('--consent-scope <scope>', 'only to people who gave this consent')
    .option('--auto <people>', 'approve automatically up to so many people', people)
    .option('--quiet <hours>', "nothing begins then, by the unit's clock, e.g. 22:00-07:00", quietHours)
    .option('--cap <n/days>', 'at most n messages to a person in so many days, e.g. 3/7', frequencyCap)
    .addOption(
      new Option('--on-unknown <what>', 'mail of which nobody knows whether it arrived')
        .choices(['keep', 'repeat'])
        .default('keep'),
    )
    .action(withDatabase(createCategory))
  program
    .command('topic')
    .description('topics that people can unsubscribe from')
    .command('create')
    .description('make a topic of a unit')
    .argument('<unit>', 'id or name')
    .requiredOption('--zh <name>', 'its name in zh-TW')
    .option('--en <name>', 'its name in English')
    .action(withDatabase(createTopic))
}

async function createCategory({ db, answer }: Frame, id: string, options: CategoryOptions): Promise<void> {
  await createCategoryRow(db, operator, {
    id,
    name: nameOf(options),
    layer: options.layer,
    channelPlan: { mode: options.mode, channels: options.channels },
    consentScope: options.consentScope ?? null,
    quietHours: options.quiet ?? null,
    frequencyCap: options.cap ?? null,
    onUnknown: options.onUnknown,
    ...(options.auto !== undefined && { approval_rule: 'auto', autoMaxRecipients: options.auto }),
  })
  answer({ id }, `Category ${id} can be used.`)
}

async function createTopic({ db, answer }: Frame, named: string, options: { zh: string; en?: string }) {
  const unit = await findUnit(db, named)
  const id = await makeTopic(db, operator, { unitId: unit.id, name: nameOf(options) })
  answer({ id }, `Topic ${options.zh} of ${unit.name} has the id ${id}.`)
}

function nameOf({ zh, en }: { zh: string; en?: string }): LocalisedText {
  return { 'zh-TW': zh, ...(en && { en }) }
}

function channelList(text: string): Channel[] {
  const names = list(text)
  if (names.every((name) => name === 'chat' || name === 'email')) return names as Channel[]
  throw new InvalidArgumentError('Of chat and email.')
}

function people(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('A number of people.')
}

function quietHours(text: string): QuietHours {
  const [, from, to] = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)$/.exec(text) ?? []
  if (from && to && from !== to) return { from, to }
  throw new InvalidArgumentError('Two times of the day, e.g. 22:00-07:00.')
}

function frequencyCap(text: string): FrequencyCap {
  const [, n, days] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []
  if (n && days) return { n: Number(n), days: Number(days) }
  throw new InvalidArgumentError('A number of messages and of days, e.g. 3/7.')
}
