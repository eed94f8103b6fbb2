import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Health, Probe } from './health.ts'

const open = { method: 'GET', tag: 'Service', doors: [], unit: 'none', errors: [] } as const

/** How the service itself is, and its description. */
export const serviceEndpoints = {
  getHealth: {
    ...open,
    path: '/v1/health',
    summary: 'Health of the parts',
    description:
      'The database, Temporal and each adapter, how many runs are behind, how many sends stand still, which channel rests. Always 200: ' +
      'read status.',
    answers: {
      200: {
        description: 'How it is.',
        schema: Health,
        example: {
          status: 'ok',
          database: 'ok',
          temporal: 'ok',
          adapters: { chat: 'ok', email: 'not_configured' },
          runs: { overdue: 0, wedged: 0, oldestSeconds: 0 },
          parked: { provider: 0, provider_quota: 0, quota: 0 },
          sending: { chat: { restsUntil: null, retrying: 0, oldestSeconds: 0 } },
        },
      },
    },
  },
  livez: {
    ...open,
    path: '/livez',
    summary: 'Is the process alive?',
    description: 'Answers as long as the process can; asks nobody.',
    answers: { 200: { description: 'Yes.', schema: Probe, example: { status: 'ok' } } },
  },
  readyz: {
    ...open,
    path: '/readyz',
    summary: 'Shall it get requests?',
    description: '503 while the database cannot be reached and while the process drains before it ends.',
    answers: { 200: { description: 'Yes.', schema: Probe, example: { status: 'ok' } } },
  },
  metrics: {
    ...open,
    path: '/metrics',
    summary: 'Numbers for Prometheus',
    description: 'Counts and durations; no ids and no personal data in labels.',
    answers: {
      200: {
        description: "Prometheus' text format.",
        schema: z.string(),
        contentType: 'text/plain',
        example: 'carillon_db_connections{state="idle"} 3\n',
      },
    },
  },
  openapi: {
    ...open,
    path: '/openapi.json',
    summary: 'This description',
    description: 'OpenAPI 3.1. To read and to try: /docs.',
    answers: {
      200: {
        description: 'The description.',
        schema: z.looseObject({ openapi: z.string() }),
        example: { openapi: '3.1.0' },
      },
    },
  },
} as const satisfies Record<string, Endpoint>
