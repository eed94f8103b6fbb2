import { z } from 'zod'
import { Channel } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { type Integration, integrationStates, type Problem } from './enums.ts'

const state = z.enum(integrationStates)

export const Health = z
  .object({
    status: z
      .enum(['ok', 'degraded', 'down'])
      .describe(
        '`degraded`: the API works and nothing is lost, but sends wait, or an integration does not work. `down`: the ' +
          'API cannot serve requests.',
      ),
    database: z.enum(['ok', 'down']).describe('`down`: unavailable, or takes no writes, as a standby.'),
    temporal: z
      .enum(['ok', 'misconfigured', 'down'])
      .describe(
        'The server that carries the runs. Unless it is `ok`, no run starts, and nothing is lost. `misconfigured`: it ' +
          'answers, but lacks the namespace or search attributes, or rejects this installation.',
      ),
    adapters: z
      .partialRecord(Channel, state)
      .describe(
        'The provider of each channel. `unavailable`: it does not answer, or has let the channel rest for a minute and taken ' +
          'nothing. `misconfigured`: it rejects this installation. `not_configured`: this ' +
          'installation does not have the channel.',
      ),
    integrations: z
      .object({
        signIn: state.describe(
          'The identity provider of the console. `misconfigured`: it is not the provider that the settings name, or it ' +
            'has rejected the client at the last sign-in.',
        ),
        lookups: state.describe(
          'The Lookup endpoints. `misconfigured`: the key of one is missing, or its address may not be called.',
        ),
        avatar: state.describe(
          'The conversational assistant. `misconfigured`: its secret is missing, or its unit does not exist.',
        ),
        callbacks: state.describe(
          'Callbacks to producers. `misconfigured`: the secret of one cannot be read, or its address may not be called.',
        ),
      } satisfies Record<Integration, z.ZodType>)
      .describe(
        'The systems that Carillon works with. `unavailable`: it does not answer, or the database is down. ' +
          '`not_configured`: this installation does not have it, or nothing is registered. An endpoint of a producer ' +
          'that fails is not shown here.',
      ),
    runs: z
      .object({
        overdue: z.int().describe('Runs that are at least a minute late.'),
        wedged: z.int().describe('Runs whose workflow task keeps failing.'),
        restarted: z.int().describe('Runs restarted within a day because they were wedged.'),
        oldestSeconds: z.number().describe('How late the run is that is furthest behind, in seconds.'),
      })
      .nullable()
      .describe('The runs of messages and scenarios. null while the database is down.'),
    parked: z
      .object({
        provider: z.int().describe('The provider is down or rejects the installation.'),
        provider_quota: z
          .int()
          .describe("The provider's quota, or a sending limit of the mail server, is exhausted."),
        quota: z.int().describe("Carillon's quota is exhausted."),
        unknown_recipients: z
          .int()
          .describe('The mail server rejects so many of the recipients that it is not believed.'),
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
  .extend({
    failedSends: z
      .object({
        sends: z.int().describe('How many sends.'),
        people: z.int().describe('People to whom they were sent.'),
        reached: z.int().describe('People who received them or may have.'),
        reasons: z
          .array(
            z.object({
              channel: Channel.describe('The channel.'),
              reason: z.string().describe('The code of the failures.'),
              deliveries: z.int().describe('How many deliveries failed for it.'),
            }),
          )
          .describe('Why deliveries failed, the commonest reason first.'),
      })
      .nullable()
      .describe(
        'Sends that ended within the last hour and reached no one, or missed a tenth or more of at least 20 ' +
          'people. null while the database is down.',
      ),
  })
  .meta({ id: 'Health', description: 'The state of the installation: counts and states only.' })
export type Health = z.infer<typeof Health>

const Probe = z
  .object({ status: z.literal('ok').describe('Always ok: the status of the response tells the rest.') })
  .meta({ id: 'Probe', description: 'The process is alive, or ready.' })

const open = { method: 'GET', tag: 'Service', auth: [], unit: 'none', errors: [] } as const

/** Health, metrics and the description of the API. */
export const serviceEndpoints = {
  getHealth: {
    ...open,
    path: '/v1/health',
    summary: 'Get health',
    description:
      'The state of the database, Temporal, each adapter and integration, overdue runs, parked sends, and resting ' +
      'channels. The HTTP status is always 200; read the field status.',
    answers: {
      200: {
        description: 'The current health.',
        schema: Health,
        example: {
          status: 'ok',
          database: 'ok',
          temporal: 'ok',
          adapters: { chat: 'ok', email: 'not_configured' },
          integrations: { signIn: 'ok', lookups: 'ok', avatar: 'not_configured', callbacks: 'ok' },
          runs: { overdue: 0, wedged: 0, restarted: 0, oldestSeconds: 0 },
          parked: { provider: 0, provider_quota: 0, quota: 0, unknown_recipients: 0, internal: 0 },
          sending: { chat: { restsUntil: null, retrying: 0, oldestSeconds: 0 } },
          failedSends: { sends: 0, people: 0, reached: 0, reasons: [] },
        },
      },
    },
  },
  livez: {
    ...open,
    path: '/livez',
    summary: 'Liveness probe',
    description: 'Checks no dependency.',
    answers: { 200: { description: 'The process is alive.', schema: Probe, example: { status: 'ok' } } },
  },
  readyz: {
    ...open,
    path: '/readyz',
    summary: 'Readiness probe',
    description:
      'Returns 503 while the database is unavailable or takes no writes, as a standby, and while the process drains ' +
      'before it exits.',
    answers: { 200: { description: 'The process is ready.', schema: Probe, example: { status: 'ok' } } },
  },
  openapi: {
    ...open,
    path: '/openapi.json',
    summary: 'OpenAPI document',
    description:
      'This API as OpenAPI 3.1. Browse and try it at /docs. Its ETag stays the same until another version is ' +
      'installed; a request with it in If-None-Match gets 304.',
    answers: {
      200: {
        description: 'The OpenAPI document.',
        schema: z.looseObject({
          openapi: z.string().describe('The version of OpenAPI that the document follows.'),
        }),
        example: { openapi: '3.1.0' },
      },
    },
  },
} as const satisfies Record<string, Endpoint>
