import type { Config } from '../config.ts'
import { keysOf } from '../contract/enums.ts'
import type { Db } from '../db/connect.ts'
import { insertAudit } from '../db/queries/audit/audit.ts'
import { untouchedCompositions } from '../db/queries/composition/purge.ts'
import { deliveryMonths } from '../db/queries/delivery/months.ts'
import { closedHandoffs } from '../db/queries/handoff/erase.ts'
import { contacts } from '../db/queries/metrics/contacts.ts'
import { patternAnswers, registrations } from '../db/queries/pattern/erase.ts'
import * as rows from '../db/queries/retention/retention.ts'
import { messageBodies, type Purge } from '../db/queries/retention/retention.ts'
import { emptiedStarts, endedRuns } from '../db/queries/scenario-run/erase.ts'
import { closedSchedules, occurrences } from '../db/queries/schedule/purge.ts'

/** Days for which each kind of row is kept; 0: forever. */
export type Retention = Pick<Config, Extract<keyof Config, `RETENTION_${string}`>>

/** The kinds that are purged, in this order, with their setting. Counts (waves, ledger, snapshots) are never purged. */
const kinds = {
  messages: [messageBodies, 'RETENTION_MESSAGES_DAYS'],
  answers: [rows.answers, 'RETENTION_ANSWERS_DAYS'],
  doNotReminds: [rows.doNotReminds, 'RETENTION_ANSWERS_DAYS'],
  mailClicks: [rows.mailClicks, 'RETENTION_ANSWERS_DAYS'],
  deliveryMonths: [deliveryMonths, 'RETENTION_DELIVERIES_DAYS'],
  contacts: [contacts, 'RETENTION_DELIVERIES_DAYS'],
  scenarioRuns: [endedRuns, 'RETENTION_RUNS_DAYS'],
  scenarioStarts: [emptiedStarts, 'RETENTION_RUNS_DAYS'],
  compositions: [untouchedCompositions, 'RETENTION_MESSAGES_DAYS'],
  schedules: [closedSchedules, 'RETENTION_MESSAGES_DAYS'],
  occurrences: [occurrences, 'RETENTION_WORK_DAYS'],
  handoffs: [closedHandoffs, 'RETENTION_RUNS_DAYS'],
  registrations: [registrations, 'RETENTION_RUNS_DAYS'],
  patternAnswers: [patternAnswers, 'RETENTION_RUNS_DAYS'],
  webhooks: [rows.webhooks, 'RETENTION_WEBHOOKS_DAYS'],
  events: [rows.eventData, 'RETENTION_EVENTS_DAYS'],
  failedEvents: [rows.failedEvents, 'RETENTION_EVENTS_DAYS'],
  audit: [rows.audit, 'RETENTION_AUDIT_DAYS'],
  groupChanges: [rows.groupChanges, 'RETENTION_AUDIT_DAYS'],
  callbackDeliveries: [rows.callbackDeliveries, 'RETENTION_WORK_DAYS'],
  notices: [rows.notices, 'RETENTION_WORK_DAYS'],
  authorNotices: [rows.authorNotices, 'RETENTION_WORK_DAYS'],
  handoffNotices: [rows.handoffNotices, 'RETENTION_WORK_DAYS'],
  sessions: [rows.sessions, 'RETENTION_WORK_DAYS'],
  imports: [rows.imports, 'RETENTION_WORK_DAYS'],
} satisfies Record<string, [Purge, keyof Retention]>

type PurgeKind = keyof typeof kinds
/** Every kind that is purged. */
export const purgeKinds: readonly PurgeKind[] = keysOf(kinds)
export type PurgeCounts = Partial<Record<PurgeKind, number>>
/** Kinds whose purge failed in this round, with the error. */
export type FailedKinds = Map<PurgeKind, unknown>

/** Rows of one kind purged in one transaction. */
const perSlice = 1_000
const dayMs = 24 * 3_600_000

/** Counts the rows of each kind past their retention, without kinds that are kept forever. */
export async function countExpired(db: Db, retention: Retention): Promise<PurgeCounts> {
  const counted: PurgeCounts = {}
  for (const { kind, purge, before } of due(retention)) counted[kind] = await purge.count(db, before)
  return counted
}

/**
 * Purges one slice of each kind and returns the counts. All zero: no expired row remains, or other processes hold them.
 * A kind that throws is added to `failed` and skipped from then on; the others continue.
 */
export async function purgeSlice(db: Db, retention: Retention, failed: FailedKinds): Promise<PurgeCounts> {
  const purged: PurgeCounts = {}
  for (const { kind, purge, before } of due(retention).filter((one) => !failed.has(one.kind)))
    try {
      purged[kind] = await purge.slice(db, before, perSlice)
    } catch (error) {
      failed.set(kind, error)
    }
  return purged
}

/** Audits the counts of a round, if it purged anything. */
export async function auditPurge(db: Db, actor: string, purged: PurgeCounts): Promise<void> {
  if (totalPurged(purged) === 0) return
  const some = Object.fromEntries(Object.entries(purged).filter(([, n]) => n > 0))
  const what = { action: 'purge', objectKind: 'retention', objectId: 'all' } as const
  await insertAudit(db, { unitId: null, actor, ...what, details: some })
}

/** Adds two counts, kind by kind. */
export function addPurgeCounts(one: PurgeCounts, other: PurgeCounts): PurgeCounts {
  const names = keysOf({ ...one, ...other })
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]))
}

/** The number of rows of all kinds. */
export function totalPurged(purged: PurgeCounts): number {
  return Object.values(purged).reduce((sum, n) => sum + n, 0)
}

function due(retention: Retention): { kind: PurgeKind; purge: Purge; before: Date }[] {
  return keysOf(kinds)
    .filter((kind) => retention[kinds[kind][1]] > 0)
    .map((kind) => ({
      kind,
      purge: kinds[kind][0],
      before: new Date(Date.now() - retention[kinds[kind][1]] * dayMs),
    }))
}
