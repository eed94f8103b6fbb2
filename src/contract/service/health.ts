import { z } from 'zod'
import { Channel } from '../common.ts'
import type { Problem } from '../enums.ts'

const part = z.enum(['ok', 'down'])

/** `degraded`: answers are given and nothing is lost, but sends wait; `down`: nothing can be answered. */
export const Health = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']),
    database: part,
    temporal: part,
    adapters: z.partialRecord(Channel, z.enum(['ok', 'unavailable', 'misconfigured', 'not_configured'])),
    runs: z
      .object({ overdue: z.int(), wedged: z.int(), oldestSeconds: z.number() })
      .nullable()
      .meta({
        description:
          'Runs that should have looked at their row a minute ago; those that fail again and again; how far the ' +
          'last one is behind. null while the database is down.',
      }),
    parked: z
      .object({
        provider: z.int(),
        provider_quota: z.int(),
        quota: z.int(),
      } satisfies Record<Problem, z.ZodType>)
      .nullable()
      .meta({
        description:
          'Messages whose send stands still and tries again every minute: the provider is down or refuses us, its ' +
          'monthly number is used up, or ours is. null while the database is down.',
      }),
    sending: z
      .partialRecord(
        Channel,
        z.object({
          restsUntil: z.iso.datetime().nullable().meta({
            description: 'The provider asked for a pause: until then nothing but a probe is sent.',
          }),
          retrying: z.int().meta({ description: 'Batches that were put off and are tried again.' }),
          oldestSeconds: z.number().meta({ description: 'For how long the first of them has been.' }),
        }),
      )
      .nullable()
      .meta({ description: 'How sending stands on each channel. null while the database is down.' }),
  })
  .meta({ id: 'Health' })
export type Health = z.infer<typeof Health>

/** The answer of the probes that an orchestrator asks. */
export const Probe = z.object({ status: z.literal('ok') }).meta({ id: 'Probe' })
