import { z } from 'zod'
import { Actor, DateTime, Id, Instant, PageQuery, pageOf, UnitId } from '../common.ts'

const word = z.string().min(1).max(200)

/** Who did what to which object, and when. Written in the same transaction as the change, and never changed. */
export const AuditEntry = z
  .object({
    id: z.int(),
    at: Instant,
    unitId: Id.nullable().meta({ description: 'null: concerns the installation rather than a unit.' }),
    by: Actor,
    action: z.string(),
    objectKind: z.string(),
    objectId: z.string(),
    fromState: z.string().nullable(),
    toState: z.string().nullable(),
    version: z.int().nullable(),
    reason: z.string().nullable(),
    details: z.unknown().meta({ description: 'Further details; never names, addresses or texts.' }),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof AuditEntry>

/** One page of the audit log. */
export const AuditPage = pageOf(AuditEntry).meta({ id: 'AuditPage' })

/** Newest first. `from` is inclusive, `to` exclusive. `scope=installation` is for system administrators. */
export const AuditQuery = PageQuery.extend({
  unitId: UnitId,
  scope: z.enum(['unit', 'installation']).default('unit'),
  objectKind: word.optional(),
  objectId: word.optional(),
  actor: word.optional(),
  from: DateTime.optional(),
  to: DateTime.optional(),
})
export type AuditQuery = z.infer<typeof AuditQuery>

const count = z.int().min(0)

/** Sessions of people in several units must pass unitId. */
export const SummaryQuery = z.object({ unitId: UnitId })

/** Counts of a unit's messages, templates and event bindings that are pending or in progress. */
export const Summary = z
  .object({
    toApprove: count.meta({ description: 'Submitted messages.' }),
    templatesToApprove: count.meta({ description: 'Templates whose newest version is a draft.' }),
    bindingsToApprove: count.meta({ description: 'Event bindings with a submitted version.' }),
    sending: count.meta({ description: 'Messages or reminders that are being sent.' }),
    parked: count.meta({ description: 'Sends that are parked for their provider or for quota.' }),
  })
  .meta({ id: 'Summary' })
