import { z } from 'zod'
import { Channel } from '../common.ts'
import type { Problem } from '../enums.ts'

const part = z.enum(['ok', 'down'])

/** `degraded`: the API works and nothing is lost, but sends wait. `down`: the API cannot serve requests. */
export const Health = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']),
    database: part.meta({ description: 'down: unavailable, or takes no writes, as a standby.' }),
    temporal: part,
    adapters: z.partialRecord(Channel, z.enum(['ok', 'unavailable', 'misconfigured', 'not_configured'])),
    runs: z
      .object({ overdue: z.int(), wedged: z.int(), restarted: z.int(), oldestSeconds: z.number() })
      .nullable()
      .meta({
        description:
          'overdue: runs at least a minute late; wedged: runs whose workflow task keeps failing; restarted: runs begun ' +
          'anew within a day because they were wedged; oldestSeconds: how late the run is that is furthest behind. ' +
          'null while the database is down.',
      }),
    parked: z
      .object({
        provider: z.int(),
        provider_quota: z.int(),
        quota: z.int(),
        internal: z.int(),
      } satisfies Record<Problem, z.ZodType>)
      .nullable()
      .meta({
        description:
          'Messages whose send is parked and retries every minute. provider: the provider is down or rejects the ' +
          "installation; provider_quota: its monthly quota is exhausted; quota: Carillon's quota is exhausted; " +
          'internal: a step keeps failing inside Carillon and is retried every hour. null while the database is down.',
      }),
    sending: z
      .partialRecord(
        Channel,
        z.object({
          restsUntil: z.iso.datetime().nullable().meta({
            description:
              'Set while the channel rests, as its provider asked: until then only a probe is sent.',
          }),
          retrying: z.int().meta({ description: 'Deferred batches that are being retried.' }),
          oldestSeconds: z.number().meta({ description: 'How long the oldest of them has been deferred.' }),
        }),
      )
      .nullable()
      .meta({ description: 'The state of sending by channel. null while the database is down.' }),
  })
  .meta({ id: 'Health' })
export type Health = z.infer<typeof Health>

/** The response of the liveness and readiness probes. */
export const Probe = z.object({ status: z.literal('ok') }).meta({ id: 'Probe' })
