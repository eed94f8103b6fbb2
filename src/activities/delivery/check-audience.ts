import type { Db, Trx } from '../../db/connect.ts'
import { type DefinitionChange, findDefinitionChanges } from '../../db/queries/audience/definitions.ts'
import { type Comparisons, compareAudience, countUnexplained } from '../../db/queries/audience/sample.ts'
import {
  countWaveRecipients,
  type WrittenCounts,
  type WrittenDeliveries,
} from '../../db/queries/delivery/deliveries.ts'
import type { WaveInfo } from '../../db/queries/delivery/wave.ts'
import { automaticApprover } from '../../db/queries/message/content.ts'
import type { Snapshot } from '../../domain/audience/audience.ts'
import {
  type AudienceChange,
  audienceChange,
  bindsPeople,
  changeOfCounts,
  type Drift,
  distanceOf,
} from '../../domain/audience/drift.ts'
import type { Services } from '../../services/context.ts'

/** Why a message must return to review instead of being sent: without the new snapshot, which is made then. */
export type DriftFound = Omit<Drift, 'recipients' | 'since'>

/** The audience of a wave that is about to start: its recipients now, and whether they are other than approved. */
export type CheckedAudience = { recipients: Snapshot['recipients']; drift: DriftFound | null }

/**
 * Compares the current audience with the approved one, before any lock is taken, because it may take a second
 * (docs/design/audiences.md). Null for named individuals and reminders, whose people are fixed.
 */
export async function checkAudience({ db }: Services, wave: WaveInfo): Promise<CheckedAudience | null> {
  if (!bindsPeople(wave)) return null
  const { recipients, compared } = await compareAudience(db, wave.messageId, wave)
  const { byChannel, total } = recipients
  const deliveries = Object.values(byChannel).reduce((sum, count) => sum + count, 0)
  const now = { byChannel, deliveries, people: () => total }
  return { recipients, drift: await driftOf(db, wave, now, compared) }
}

/** Thrown to roll back deliveries to people other than approved. */
export class AudienceDrifted extends Error {
  readonly drift: DriftFound

  constructor(drift: DriftFound) {
    super(`The audience drifted: ${drift.reason}`)
    this.drift = drift
  }
}

/**
 * Judges the deliveries that were written in this transaction, which are exactly the people who would be sent to: the
 * audience may have changed after `checkAudience`.
 * @throws AudienceDrifted
 */
export async function assertAsApproved(
  trx: Trx,
  wave: WaveInfo,
  counts: Pick<WrittenDeliveries, 'byChannel' | 'compared'>,
): Promise<void> {
  if (wave.reminds) return
  const byChannel = pendingOf(counts)
  const deliveries = Object.values(byChannel).reduce((sum, count) => sum + count, 0)
  const people = wave.plan.mode === 'all' ? () => countWaveRecipients(trx, wave.waveId) : () => deliveries
  const now = { byChannel, deliveries, people }
  const drift = bindsPeople(wave)
    ? await driftOf(trx, wave, now, counts.compared)
    : await checkIndividuals(wave, now)
  if (drift) throw new AudienceDrifted(drift)
}

/** Individuals do not change; they may have had no address, or not consented, and still have not. */
async function checkIndividuals(wave: WaveInfo, now: Recipients): Promise<DriftFound | null> {
  const change = { byChannel: {}, exact: true, groups: [] }
  return isForNobody(wave, now) ? { reason: 'no_recipients', ...change } : beyondLimit(wave, now, change)
}

/** Whether the message had no recipients when it was approved, and still has none. */
function isForNobody({ approved }: WaveInfo, { deliveries }: Recipients): boolean {
  return approved.total === 0 && deliveries === 0
}

/** Pending deliveries by channel. */
export function pendingOf({ byChannel }: Pick<WrittenCounts, 'byChannel'>): ByChannel {
  const pending = Object.entries(byChannel).map(([channel, { expected, skipped }]) => [
    channel,
    expected - Object.values(skipped).reduce((sum, count) => sum + count, 0),
  ])
  return Object.fromEntries(pending)
}

type ByChannel = Snapshot['recipients']['byChannel']

/** `people`: at most one per delivery; counted only if it matters. */
type Recipients = { byChannel: ByChannel; deliveries: number; people: () => number | Promise<number> }

async function driftOf(
  db: Db | Trx,
  wave: WaveInfo,
  now: Recipients,
  compared: Comparisons | null,
): Promise<DriftFound | null> {
  const change = compared ? audienceChange(compared) : changeOfCounts(wave.approved, now)
  // After counting, so that no change is counted and not known.
  const changes = await findDefinitionChanges(db, wave)
  const groups = changes.map(({ trusted: _, ...group }) => group)
  if (isForNobody(wave, now)) return { reason: 'no_recipients', ...change, groups }
  if (await isOther(db, wave, change, changes)) return { reason: 'audience', ...change, groups }
  return beyondLimit(wave, now, { ...change, groups })
}

async function isOther(
  db: Db | Trx,
  wave: WaveInfo,
  change: AudienceChange,
  changes: DefinitionChange[],
): Promise<boolean> {
  if (changes.some(({ trusted }) => !trusted)) return true
  const distance = distanceOf(wave.approved, change)
  if (distance !== 'few') return distance === 'drifted'
  const about = { since: wave.snapshotAt, groupsChanged: changes.length > 0 }
  return (await countUnexplained(db, wave.messageId, wave, about)) > 0
}

/** The limit of the automatic check is asked again: the audience may have grown within what else is tolerated. */
async function beyondLimit(
  { approval, autoMaxRecipients }: WaveInfo,
  { deliveries, people }: Recipients,
  change: Omit<DriftFound, 'reason'>,
): Promise<DriftFound | null> {
  if (deliveries <= autoMaxRecipients || approval?.by !== automaticApprover) return null
  return (await people()) > autoMaxRecipients ? { reason: 'limit', ...change } : null
}
