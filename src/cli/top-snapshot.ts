import type { Db } from '../db/connect.ts'
import { type ChannelStatus, readChannelStatuses } from '../db/queries/delivery/provider.ts'
import { type FailedSend, listFailedSends } from '../db/queries/delivery/shortfall.ts'
import { readApprovalQueue } from '../db/queries/message/message.ts'
import { listSending } from '../db/queries/message/read.ts'
import { type HighestUse, readHighestUse } from '../db/queries/quota/usage.ts'
import { countParked, listParked, type ParkedCounts, type ParkedRun } from '../db/queries/run/parked.ts'
import { type RunHealth, readRunHealth } from '../db/queries/run/reconcile.ts'
import { monthOf } from '../domain/lib/month.ts'
import { sumOfCounts } from '../domain/message/stats.ts'
import type { RunKind } from '../domain/run/run-kinds.ts'

/** A wave that is being sent. `done`: deliveries with an outcome; `perSecond`: how many more each second. */
export type SendingItem = {
  messageId: string
  waveId: string
  unit: string
  categoryId: string
  reminder: boolean
  expected: number | null
  done: number
  failed: number
  perSecond: number
}

/** What an installation is doing at a moment, as `carillon top` shows it. Ids, counts and names of units only. */
export type TopSnapshot = {
  at: Date
  sending: { total: number; items: SendingItem[] }
  channels: ChannelStatus[]
  approvals: { waiting: number; oldestSeconds: number }
  quota: HighestUse[]
  runs: Record<RunKind, RunHealth>
  parked: { counts: Record<RunKind, ParkedCounts>; oldest: ParkedRun[] }
  /** Sends that ended within the last hour and reached too few, the newest first. */
  failed: { total: number; newest: FailedSend[] }
}

/** How many waves, parked runs and failed sends a snapshot names; the others are counted. */
const named = { sending: 50, parked: 5, failed: 5 }

/**
 * Reads a snapshot. `before`: an earlier one, from which rates are measured; without it, and for a wave that is not in it,
 * since the start of the wave.
 */
export async function readTop(db: Db, quotaTimeZone: string, before?: TopSnapshot): Promise<TopSnapshot> {
  const at = new Date()
  const { total, waves } = await listSending(db, named.sending)
  const items = waves.map(({ sent, failed, unknown, skipped, startedAt, ...wave }) => {
    const done = sent + failed + unknown + sumOfCounts(skipped)
    const previous = before?.sending.items.find(({ waveId }) => waveId === wave.waveId)
    const since = previous ? { at: before!.at, done: previous.done } : { at: startedAt ?? at, done: 0 }
    return { ...wave, done, failed, perSecond: rateOf(done - since.done, at.getTime() - since.at.getTime()) }
  })
  const failed = await listFailedSends(db)
  return {
    at,
    failed: { total: failed.length, newest: failed.slice(0, named.failed) },
    sending: { total, items },
    channels: await readChannelStatuses(db),
    approvals: await readApprovalQueue(db),
    quota: await readHighestUse(db, monthOf(at, quotaTimeZone)),
    runs: await readRunHealth(db),
    parked: {
      counts: await countParked(db),
      oldest: await listParked(db, { after: null, limit: named.parked }),
    },
  }
}

function rateOf(more: number, ms: number): number {
  return ms > 0 ? Math.max(0, more) / (ms / 1_000) : 0
}
