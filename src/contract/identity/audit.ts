import { z } from 'zod'
import { Actor, DateTime, Id, Instant, PageQuery, pageOf, UnitId } from '../common.ts'
import { auditedKinds } from '../enums.ts'

const kinds = auditedKinds.map((kind) => `\`${kind}\``).join(', ')
const word = z.string().min(1).max(200)

/** Who did what to which object, and when. Written in the same transaction as the change, and never changed. */
export const AuditEntry = z
  .object({
    id: z.int().describe('The number of the entry. Later entries have higher ones.'),
    at: Instant.describe('When, in UTC.'),
    unitId: Id.nullable().describe('The unit it concerns; null: the installation rather than a unit.'),
    by: Actor.describe('Who did it.'),
    action: z.string().describe('What was done, such as `create`, `approve`, `bind` or `read`.'),
    objectKind: z.string().describe(`The kind of object: ${kinds}.`),
    objectId: z.string().describe('The id of the object.'),
    fromState: z.string().nullable().describe('The state before; null for objects without one.'),
    toState: z.string().nullable().describe('The state afterwards; null for objects without one.'),
    version: z
      .int()
      .nullable()
      .describe('The version of the object afterwards; null for objects without one.'),
    reason: z.string().nullable().describe('The reason that was given, or found; null: none.'),
    details: z
      .unknown()
      .describe(
        'What changed, such as names of fields, and counts; never names, addresses or texts of people.',
      ),
  })
  .meta({ id: 'AuditEntry', description: 'Who did what to which object, and when. Entries never change.' })
export type AuditEntry = z.infer<typeof AuditEntry>

export const AuditPage = pageOf(AuditEntry).meta({
  id: 'AuditPage',
  description: 'One page of the audit log, newest first.',
})

/** Newest first. `from` is inclusive, `to` exclusive. `scope=installation` is for system administrators. */
export const AuditQuery = PageQuery.extend({
  unitId: UnitId,
  scope: z
    .enum(['unit', 'installation'])
    .default('unit')
    .describe(
      '`installation`: the entries that belong to no unit, for system administrators. Default: unit.',
    ),
  objectKind: word.optional().describe(`Only entries about objects of this kind: ${kinds}.`),
  objectId: word.optional().describe('Only entries about the object with this id.'),
  actor: word.optional().describe('Only what this actor did, such as `person:<id>` or `system:auto`.'),
  from: DateTime.optional().describe(
    'Only entries from this time on: ISO 8601 with an offset; write + as %2B.',
  ),
  to: DateTime.optional().describe('Only entries before this time: ISO 8601 with an offset; write + as %2B.'),
})
export type AuditQuery = z.infer<typeof AuditQuery>

const count = z.int().min(0)

/** Sessions of people in several units must pass unitId. */
export const SummaryQuery = z.object({ unitId: UnitId })

export const Summary = z
  .object({
    toApprove: count.describe('Submitted messages.'),
    templatesToApprove: count.describe('Templates whose newest version is a draft.'),
    bindingsToApprove: count.describe('Event bindings with a submitted version.'),
    scenariosToApprove: count.describe('Scenarios with a submitted version.'),
    sending: count.describe('Messages or reminders that are being sent.'),
    parked: count.describe('Sends that are parked for their provider or for quota.'),
  })
  .meta({
    id: 'Summary',
    description:
      "Counts of a unit's messages, templates, bindings and scenarios that wait or are in progress.",
  })
