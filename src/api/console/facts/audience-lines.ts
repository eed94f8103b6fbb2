import type { ValueDimension } from '../../../contract/audience-values.ts'
import { type AudienceDimension, exclusions, keysOf, type Locale } from '../../../contract/enums.ts'
import type { EventBinding } from '../../../contract/events/binding.ts'
import type { MessageDetail } from '../../../contract/messages/detail.ts'
import type { Snapshot } from '../../../domain/audience/audience.ts'
import { localise } from '../../../domain/content/localise.ts'
import { channelEntries } from '../../../domain/lib/channel-entries.ts'
import type { ValueNames } from '../../../services/audience-value-names.ts'
import { numberOf } from '../kit/format.ts'
import { kitWords } from '../kit/words.ts'
import { factWords } from './words.ts'

type AnyAudience = MessageDetail['audience'] | EventBinding['audience']
type QueryLike = Exclude<AnyAudience, { kind: 'individual' } | { kind: 'event_subjects' }>

/** What is called how in an audience: groups by id, and values of people. */
export type AudienceNames = { group: (id: string) => string; value: ValueNames }

/** Who is meant. */
export function audienceLines(locale: Locale, audience: AnyAudience, names: AudienceNames): string[] {
  const words = factWords[locale]
  switch (audience.kind) {
    case 'individual':
      return [words.individuals(numberOf(locale, audience.count))]
    case 'event_subjects':
      return [words.eventSubjects]
    default:
      return queryLines(locale, audience, names)
  }
}

function queryLines(locale: Locale, audience: QueryLike, names: AudienceNames): string[] {
  const words = factWords[locale]
  const named = audience.kind === 'all' ? [words.everybody] : dimensionLines(locale, audience, names)
  const excluded = audience.exclude ? dimensionLines(locale, audience.exclude, names) : []
  return [...named, ...excluded.map((line) => words.except(line))]
}

type Dimensions = NonNullable<QueryLike['exclude']>

/** A dimension without values, as an older version may have stored it, matches no one. */
function dimensionLines(
  locale: Locale,
  { roles, stages, orgUnits, classIds, groups, tags, history }: Dimensions,
  names: AudienceNames,
): string[] {
  const words = kitWords[locale]
  const { none } = factWords[locale]
  const called = (dimension: ValueDimension) => (value: string) => {
    const name = names.value(dimension, value)
    return name ? words.person(localise(locale, name), value) : value
  }
  const values = {
    roles: roles?.map((role) => words.roles[role]),
    stages: stages?.map((stage) => words.stages[stage]),
    orgUnits: orgUnits?.map(called('orgUnits')),
    classIds: classIds?.map(called('classIds')),
    groups: groups?.map(names.group),
    tags: tags?.map(called('tags')),
    history: history?.map((entry) => Object.values(entry).join(' ')),
  } satisfies Record<AudienceDimension, readonly string[] | undefined>
  return keysOf(values).flatMap((dimension) => {
    const list = values[dimension]
    return list ? [`${words.dimensions[dimension]}${words.colon}${list.join(words.comma) || none}`] : []
  })
}

/** How many people, and by which channels. */
export function peopleText(locale: Locale, { total, byChannel }: Snapshot['recipients']): string {
  const { people, comma, colon } = kitWords[locale]
  const { perChannel } = factWords[locale]
  const used = channelEntries(byChannel).map(([channel, count]) =>
    perChannel(channel, numberOf(locale, count)),
  )
  return `${people(numberOf(locale, total))}${used.length > 0 ? colon : ''}${used.join(comma)}`
}

/** How many are left out, and why; then those whom one channel leaves out, though another may reach them. */
export function excludedLines(
  locale: Locale,
  { excluded, excludedByChannel, frequency = 0, unknownUids }: Snapshot['recipients'],
): string[] {
  const words = factWords[locale]
  const { colon } = kitWords[locale]
  const counts = [
    ...exclusions.map((reason) => [reason, excluded[reason]] as const),
    ['frequency', frequency],
    ['unknownUids', unknownUids],
  ] as const
  const lines = counts
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => words.exclusions[reason](numberOf(locale, count)))
  const onOne = channelEntries(excludedByChannel).flatMap(([channel, counted]) =>
    exclusions
      .filter((reason) => counted[reason] > excluded[reason])
      .map(
        (reason) =>
          `${words.channels[channel]}${colon}${words.exclusions[reason](numberOf(locale, counted[reason]))}`,
      ),
  )
  const all = [...lines, ...onOne]
  return all.length > 0 ? all : [words.nobodyExcluded]
}
