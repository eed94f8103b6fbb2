import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Health, Probe } from './health.ts'

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
