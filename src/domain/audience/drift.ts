import { type Channel, type DriftReason, type GroupChangeKind, keysOf } from '../../contract/enums.ts'
import { type Audience, dimensionsIn, type Snapshot } from './audience.ts'
import { someDimension } from './dimensions.ts'

/*
 * When an approved message returns to review (docs/design/audiences.md): an approval binds the people of
 * its snapshot, not their number.
 */

/** An audience of up to this many people may not change at all; a larger one by this share. */
const freeChange = { people: 50, share: 0.1 }

/**
 * One channel's approved recipients, known by a sample of them, compared with those of now. The sample is everybody, if
 * they are few enough, otherwise a random part.
 */
export type ChannelComparison = {
  /** Recipients at the snapshot, and how many of them are in the sample. */
  before: number
  sampled: number
  /** Recipients now; those that the sample covers; those that are in the sample. */
  now: number
  covered: number
  kept: number
  /** Whether the order-free sums over all recipients are equal: nobody changed. */
  same: boolean
}

/** Recipients of a channel who were added to, or are missing from, those of the snapshot. */
type ChannelChange = { added: number; removed: number }

export type AudienceChange = {
  byChannel: Partial<Record<Channel, ChannelChange>>
  /** False if any number is an estimate. */
  exact: boolean
}

/** Whether the numbers of `changeOf` are exact for this channel. */
function isExact({ before, sampled, same }: ChannelComparison): boolean {
  return same || before === sampled
}

/**
 * Who was added and removed. Above the size of the sample it is an estimate (at 1,024 people, of an audience that changed by a
 * tenth, within 3 points in 99 cases of 100), except that `added - removed` is always the exact difference of the counts.
 */
export function changeOf(compared: ChannelComparison): ChannelChange {
  const { before, sampled, now, covered, kept, same } = compared
  if (same) return { added: 0, removed: 0 }
  if (isExact(compared)) return { added: covered - kept, removed: sampled - kept }
  const grown = now - before
  const estimate = Math.round((before / sampled) * (sampled - kept + covered - kept))
  const atLeast = Math.max(estimate, Math.abs(grown), 2)
  const changed = Math.min(atLeast + Math.abs((atLeast - grown) % 2), before + now)
  return { added: (changed + grown) / 2, removed: (changed - grown) / 2 }
}

/** All channels of an audience. */
export function audienceChange(compared: Partial<Record<Channel, ChannelComparison>>): AudienceChange {
  const channels = keysOf(compared)
  return {
    byChannel: Object.fromEntries(channels.map((channel) => [channel, changeOf(compared[channel]!)])),
    exact: channels.every((channel) => isExact(compared[channel]!)),
  }
}

/** Of a message whose marks are not there: only how the counts differ is known. */
export function changeOfCounts(
  before: Snapshot['recipients'],
  now: Pick<Snapshot['recipients'], 'byChannel'>,
): AudienceChange {
  const byChannel: AudienceChange['byChannel'] = {}
  for (const channel of keysOf({ ...before.byChannel, ...now.byChannel })) {
    const grown = (now.byChannel[channel] ?? 0) - (before.byChannel[channel] ?? 0)
    byChannel[channel] = { added: Math.max(grown, 0), removed: Math.max(-grown, 0) }
  }
  return { byChannel, exact: false }
}

/** How far an audience is from the approved one. `few`: it may be, if nobody but those who may changed it. */
type Distance = 'none' | 'few' | 'tolerated' | 'drifted'

/** Judges a change by its size: added plus removed, against the recipients of the snapshot. */
export function distanceOf(approved: Snapshot['recipients'], { byChannel }: AudienceChange): Distance {
  const changed = sum(Object.values(byChannel).map((change) => change.added + change.removed))
  if (changed === 0) return 'none'
  if (changed > sum(Object.values(approved.byChannel)) * freeChange.share) return 'drifted'
  return approved.total <= freeChange.people ? 'few' : 'tolerated'
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

/**
 * Whether an approval binds the people whom a wave finds: named individuals are bound by their uids, the people of a
 * reminder by what it `reminds` of.
 */
export function bindsPeople({ audience, reminds }: { audience: Audience; reminds?: object | null }): boolean {
  return audience.kind !== 'individual' && !reminds
}

/** Whether a person enters or leaves these audiences by a change of their own stage or tags. */
export function namesStageOrTags(audiences: Iterable<Audience>): boolean {
  return [...audiences]
    .flatMap(dimensionsIn)
    .some((dimensions) => someDimension(dimensions, ({ movedByPerson }) => movedByPerson))
}

/** A change of a group that the audience names, by a person or key; `at`: the first time, ISO 8601. */
export type DriftGroup = { groupId: string; change: GroupChangeKind; actor: string; at: string }

/** What changed between the snapshot that was approved and the new one, for the approver. */
export type Drift = AudienceChange & {
  reason: DriftReason
  /** When the earlier snapshot was taken, ISO 8601. */
  since: string
  recipients: { approved: number; current: number }
  groups: DriftGroup[]
}
