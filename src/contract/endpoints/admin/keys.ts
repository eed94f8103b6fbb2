import {
  CreateKey,
  IssuedKey,
  KeyListQuery,
  KeyParams,
  ProducerKey,
  ProducerKeyPage,
} from '../../admin/key.ts'
import type { Endpoint } from '../../endpoint.ts'
import { exampleUnitId } from '../examples.ts'
import { forAdministrators, page } from './common.ts'
import { exampleKey } from './examples.ts'

/** Producer keys. */
export const adminKeyEndpoints = {
  adminListKeys: {
    ...forAdministrators,
    method: 'GET',
    path: '/v1/admin/keys',
    summary: 'Producer keys',
    description: 'Newest first, of one unit or of all; never their secrets.',
    query: KeyListQuery,
    answers: { 200: page(ProducerKeyPage, exampleKey) },
    errors: [],
  },
  adminCreateKey: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/keys',
    summary: 'Issue a producer key',
    description: 'The key is shown in this answer and never again: only its hash is kept.',
    body: CreateKey,
    bodyExample: {
      unitId: exampleUnitId,
      name: exampleKey.name,
      categories: ['campus-events'],
      dimensions: ['roles'],
    },
    answers: {
      201: {
        description: 'The key.',
        schema: IssuedKey,
        example: { id: exampleKey.id, key: `hub_${exampleKey.id}_the-secret-part` },
      },
    },
    errors: ['not_found'],
  },
  adminRevokeKey: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/keys/{id}/revoke',
    summary: 'End a producer key',
    description: 'At once and for good. What it has approved or submitted goes on.',
    params: KeyParams,
    answers: {
      200: {
        description: 'The key.',
        schema: ProducerKey,
        example: { ...exampleKey, revokedAt: '2026-11-21T02:00:00.000Z' },
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
