import { z } from 'zod'
import { UnitRecord } from '../admin/unit.ts'
import { Channel, Id, UnitRole } from '../common.ts'
import { thresholds, unitKinds } from '../enums.ts'

const count = z.int().min(0)
const { displayName, replyTo, sender } = UnitRecord.shape
const presentation = { displayName, replyTo, sender }

const LedgerEntry = z
  .object({
    channel: Channel.describe('The channel.'),
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .meta({
        description: "The month, yyyy-mm, in the installation's time zone of quota.",
        examples: ['2026-12'],
      }),
    limit: count.describe("The unit's own allotment for the month."),
    reserved: count.describe('Reserved for approved messages that are not finished.'),
    committed: count.describe('Used by sends.'),
    poolRemaining: count.describe(
      'What is left of the pool that all units share; it covers use beyond the allotment.',
    ),
    threshold: z
      .enum(thresholds)
      .describe('How much of the allotment is used: `ok`; `warning` from 80 % on; `exhausted`.'),
  })
  .meta({
    id: 'LedgerEntry',
    description:
      "A unit's quota on one channel in one month, in pushes: one recipient of one provider call is one push.",
  })

/** A unit with its members and this month's ledger (docs/api/units.md). */
export const Unit = z
  .object({
    id: Id.describe('The id of the unit.'),
    name: z.string().describe('Its name.'),
    kind: z.enum(unitKinds).describe('Keys of an `administrative` unit may use the Identity API.'),
    timeZone: z.string().describe('The IANA time zone of its quiet hours, such as `Asia/Taipei`.'),
    ...presentation,
    members: z
      .array(
        z.object({
          id: Id.describe('The id of the person.'),
          name: z.string().describe('Their name.'),
          roles: z.array(UnitRole).describe('What they may do: editors write, approvers approve and reject.'),
        }),
      )
      .describe('The people of the unit.'),
    ledger: z.array(LedgerEntry).describe("This month's quota, one entry for each channel."),
  })
  .meta({ id: 'Unit', description: "A unit with its members and this month's quota." })
export type Unit = z.infer<typeof Unit>
