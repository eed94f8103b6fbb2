import { z } from 'zod'
import { Channel, Id } from '../common.ts'
import { roles, thresholds, unitKinds } from '../enums.ts'

const count = z.int().min(0)

/** A unit's quota on one channel in one month, in pushes. `limit` is the unit's own allotment. */
export const LedgerEntry = z
  .object({
    channel: Channel,
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .meta({ examples: ['2026-12'] }),
    limit: count,
    reserved: count,
    committed: count,
    poolRemaining: count,
    threshold: z.enum(thresholds).meta({ description: 'warning: from 80 % of the limit on.' }),
  })
  .meta({ id: 'LedgerEntry' })

/** A unit with its members and this month's ledger (docs/api/units.md). */
export const Unit = z
  .object({
    id: Id,
    name: z.string(),
    kind: z.enum(unitKinds),
    timeZone: z.string(),
    members: z.array(z.object({ id: Id, name: z.string(), roles: z.array(z.enum(roles)) })),
    ledger: z.array(LedgerEntry),
  })
  .meta({ id: 'Unit' })
export type Unit = z.infer<typeof Unit>
