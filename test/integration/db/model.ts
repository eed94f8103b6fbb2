import type { AudienceSpec } from '../../../src/db/queries/audience.ts'
import type { Audience, AudienceDimensions, Exclusion, Snapshot } from '../../../src/domain/audience.ts'
import type { Channel } from '../../../src/domain/channel-plan.ts'
import type { Person } from './population.ts'

/** The rules of audience, plan and exclusion as plainly as they can be said, to hold the SQL against. */

/** What a person gets: channels, or none and why. Undefined: not named. */
export type Verdict = { channels: Channel[]; excluded: Exclusion | null }

export function judge(person: Person, spec: AudienceSpec): Verdict | undefined {
  if (!isNamed(person, spec.audience)) return undefined
  const { channels, mode } = spec.plan
  const open = channels.filter((channel) => reasonAgainst(person, spec, channel) === null)
  if (open.length === 0) return { channels: [], excluded: reasonAgainst(person, spec, channels[0]!) }
  return { channels: mode === 'all' ? open : open.slice(0, 1), excluded: null }
}

function isNamed(person: Person, audience: Audience): boolean {
  if (audience.kind === 'individual') return audience.uids.includes(person.uid)
  const { kind, exclude, ...query } = audience
  if (exclude && matches(person, exclude)) return false
  return kind === 'all' || matches(person, query)
}

function matches(person: Person, { roles, stages, orgUnits, classIds, tags, history }: AudienceDimensions) {
  const shares = (wanted: string[] | undefined, has: string[]) =>
    !wanted || wanted.some((word) => has.includes(word))
  const received = (messageId: string) => ['sent', 'unknown'].includes(person.history[messageId] ?? '')
  return (
    shares(roles, person.roles) &&
    shares(stages, [person.stage]) &&
    shares(orgUnits, person.orgUnits) &&
    shares(classIds, person.classIds) &&
    shares(tags, person.tags) &&
    (!history || history.some((entry) => entry.kind === 'received' && received(entry.messageId)))
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

export function count(people: Person[], spec: AudienceSpec): Snapshot['recipients'] {
  const verdicts = people.map((person) => judge(person, spec)).filter((verdict) => verdict !== undefined)
  const excluded = (reason: Exclusion) => verdicts.filter((verdict) => verdict.excluded === reason).length
  const getting = (channel: Channel) =>
    verdicts.filter((verdict) => verdict.channels.includes(channel)).length
  const { audience, plan } = spec
  const unknown =
    audience.kind === 'individual'
      ? [...new Set(audience.uids)].filter((uid) => !people.some((person) => person.uid === uid)).length
      : 0
  return {
    total: verdicts.filter((verdict) => verdict.excluded === null).length,
    byChannel: Object.fromEntries(plan.channels.map((channel) => [channel, getting(channel)])),
    excluded: {
      noConsent: excluded('noConsent'),
      noAddress: excluded('noAddress'),
      preferenceOff: excluded('preferenceOff'),
      blocked: excluded('blocked'),
    },
    unknown,
  }
}
