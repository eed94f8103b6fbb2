import { z } from 'zod'
import { Channel } from './common.ts'

const part = z.enum(['ok', 'down'])

/** `degraded`: answers are given and nothing is lost, but sends wait; `down`: nothing can be answered. */
export const Health = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']),
    database: part,
    temporal: part,
    adapters: z.partialRecord(Channel, z.enum(['ok', 'down', 'not_configured'])),
    runs: z.object({ unacknowledged: z.int(), overdue: z.int(), wedged: z.int() }).nullable().meta({
      description: 'Runs that have not looked at their newest change; null while the database is down.',
    }),
  })
  .meta({ id: 'Health' })
export type Health = z.infer<typeof Health>

/** The answer of the probes that an orchestrator asks. */
export const Probe = z.object({ status: z.literal('ok') }).meta({ id: 'Probe' })
