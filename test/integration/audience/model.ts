import {
  type Channel,
  type Exclusion,
  exclusions,
  type Locale,
  locales,
} from '../../../src/contract/enums.ts'
import type { AudienceSpec } from '../../../src/db/queries/audience/count.ts'
import type {
  Audience,
  AudienceDimensions,
  HistoryEntry,
  Snapshot,
} from '../../../src/domain/audience/audience.ts'
import type { Person, Population } from '../../fixtures/population.ts'

/** The rules of audience, plan and exclusion in their simplest form, to compare the SQL with. */

/** What a person receives: channels, or none and the reason. Undefined: not named. */
export type Verdict = { channels: Channel[]; excluded: Exclusion | null }

export function judge(person: Person, spec: AudienceSpec, groups: Population['groups']): Verdict | undefined {
  if (!isNamed(person, spec.audience, groups)) return undefined
  const { channels, mode } = spec.plan
  const open = channels.filter((channel) => reasonAgainst(person, spec, channel) === null)
  if (open.length === 0) return { channels: [], excluded: reasonAgainst(person, spec, channels[0]!) }
  return { channels: mode === 'all' ? open : open.slice(0, 1), excluded: null }
}

function isNamed(person: Person, audience: Audience, groups: Population['groups']): boolean {
  if (audience.kind === 'individual') return audience.uids.includes(person.uid)
  const { kind, exclude, ...query } = audience
  if (exclude && matches(person, exclude, groups)) return false
  return kind === 'all' || matches(person, query, groups)
}

function matches(person: Person, wanted: AudienceDimensions, groups: Population['groups']): boolean {
  const { roles, stages, orgUnits, classIds, tags, groups: ofGroups, history } = wanted
  const shares = (wanted: string[] | undefined, has: string[]) =>
    !wanted || wanted.some((word) => has.includes(word))
  return (
    shares(roles, person.roles) &&
    shares(stages, [person.stage]) &&
    shares(orgUnits, person.orgUnits) &&
    shares(classIds, person.classIds) &&
    shares(tags, person.tags) &&
    (!ofGroups || ofGroups.some((id) => isIn(person, id, groups))) &&
    (!history || history.some((entry) => happened(person, entry)))
  )
}

function isIn(person: Person, id: string, groups: Population['groups']): boolean {
  const query = groups.get(id)
  return query ? isNamed(person, query, groups) : person.groups.includes(id)
}

function happened({ history, answers }: Person, entry: HistoryEntry): boolean {
  if (entry.kind === 'received') return ['sent', 'unknown'].includes(history[entry.messageId] ?? '')
  if (entry.kind === 'registered') return false
  const { messageId, optionId } = entry
  return answers.some((answer) =>
    optionId === undefined ? answer.startsWith(messageId) : answer === `${messageId} ${optionId}`,
  )
}

export function reasonAgainst(person: Person, spec: AudienceSpec, channel: Channel): Exclusion | null {
  if (spec.consentScope && person.consents[spec.consentScope] !== 'given') return 'noConsent'
  if (spec.layer !== 'mandatory') {
    if (spec.topicId && person.unsubscribed) return 'preferenceOff'
    if (person.preferences[`${spec.categoryId} ${channel}`] === false) return 'preferenceOff'
  }
  if (!person.addresses[channel]) return 'noAddress'
  return person.addresses[channel] === 'open' ? null : 'blocked'
}

export function count({ people, groups }: Population, spec: AudienceSpec): Snapshot['recipients'] {
  const verdicts = people
    .map((person) => judge(person, spec, groups))
    .filter((verdict) => verdict !== undefined)
  const excluded = (reason: Exclusion) => verdicts.filter((verdict) => verdict.excluded === reason).length
  const getting = (channel: Channel) =>
    verdicts.filter((verdict) => verdict.channels.includes(channel)).length
  const { audience, plan } = spec
  const reading = (locale: Locale) =>
    people.filter((person) => person.locale === locale && judge(person, spec, groups)?.excluded === null)
      .length
  const named = people.filter((person) => isNamed(person, audience, groups))
  const leftOut = (channel: Channel) =>
    Object.fromEntries(
      exclusions.map((reason) => [
        reason,
        named.filter((person) => reasonAgainst(person, spec, channel) === reason).length,
      ]),
    ) as Record<Exclusion, number>
  const unknown =
    audience.kind === 'individual'
      ? [...new Set(audience.uids)].filter((uid) => !people.some((person) => person.uid === uid)).length
      : 0
  return {
    total: verdicts.filter((verdict) => verdict.excluded === null).length,
    byChannel: Object.fromEntries(plan.channels.map((channel) => [channel, getting(channel)])),
    byLocale: Object.fromEntries(locales.map((locale) => [locale, reading(locale)])),
    excluded: {
      noConsent: excluded('noConsent'),
      noAddress: excluded('noAddress'),
      preferenceOff: excluded('preferenceOff'),
      blocked: excluded('blocked'),
    },
    excludedByChannel: Object.fromEntries(plan.channels.map((channel) => [channel, leftOut(channel)])),
    unknownUids: unknown,
  }
}
