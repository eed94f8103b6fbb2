import { z } from 'zod'
import { Channel } from '../common.ts'
import type { Problem } from '../enums.ts'

const part = z.enum(['ok', 'down'])

export const Health = z
  .object({
    status: z
      .enum(['ok', 'degraded', 'down'])
      .describe(
        '`degraded`: the API works and nothing is lost, but sends wait. `down`: the API cannot serve requests.',
      ),
    database: part.describe('`down`: unavailable, or takes no writes, as a standby.'),
    temporal: part.describe(
      'The server that carries the runs. `down`: nothing is sent, and nothing is lost.',
    ),
    adapters: z
      .partialRecord(Channel, z.enum(['ok', 'unavailable', 'misconfigured', 'not_configured']))
      .describe(
        'The provider of each channel. `misconfigured`: it rejects this installation. `not_configured`: this ' +
          'installation does not have the channel.',
      ),
    runs: z
      .object({
        overdue: z.int().describe('Runs that are at least a minute late.'),
        wedged: z.int().describe('Runs whose workflow task keeps failing.'),
        restarted: z.int().describe('Runs begun anew within a day because they were wedged.'),
        oldestSeconds: z.number().describe('How late the run is that is furthest behind, in seconds.'),
      })
      .nullable()
      .describe('The runs of messages and scenarios. null while the database is down.'),
    parked: z
      .object({
        provider: z.int().describe('The provider is down or rejects the installation.'),
        provider_quota: z.int().describe("The provider's monthly quota is exhausted."),
        quota: z.int().describe("Carillon's quota is exhausted."),
        internal: z.int().describe('A step keeps failing inside Carillon and is retried every hour.'),
      } satisfies Record<Problem, z.ZodType>)
      .nullable()
      .describe(
        'Messages and runs of scenarios that are parked and retried by themselves, by reason. null while the database ' +
          'is down.',
      ),
    sending: z
      .partialRecord(
        Channel,
        z.object({
          restsUntil: z.iso
            .datetime()
            .nullable()
            .describe(
              'Until when the channel rests, as its provider asked, in UTC: until then only a probe is sent. null: it ' +
                'does not rest.',
            ),
          retrying: z.int().describe('Deferred batches that are being retried.'),
          oldestSeconds: z.number().describe('How long the oldest of them has been deferred, in seconds.'),
        }),
      )
      .nullable()
      .describe('The state of sending by channel. null while the database is down.'),
  })
  .meta({ id: 'Health', description: 'The state of the installation: counts and states only.' })
export type Health = z.infer<typeof Health>

export const Probe = z
  .object({ status: z.literal('ok').describe('Always ok: the status of the response tells the rest.') })
  .meta({ id: 'Probe', description: 'The process is alive, or ready.' })
