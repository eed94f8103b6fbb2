import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { Preview, PreviewMessage } from '../preview.ts'
import { examplePreview } from './examples.ts'

/** Seeing a message before others do. */
export const previewEndpoints = {
  previewMessage: {
    method: 'POST',
    path: '/v1/messages/{id}/preview',
    tag: 'Messages',
    summary: 'See it as a reader will',
    description:
      'A draft as it would be frozen now; from submit on, what was frozen. The text of a personal message is shown to ' +
      'its authors and to approvers. Changes nothing.',
    doors: ['producer', 'session'],
    unit: 'object',
    params: IdParams,
    body: PreviewMessage,
    bodyExample: { locale: 'en', channel: 'chat' },
    answers: { 200: { description: 'What the channel shows.', schema: Preview, example: examplePreview } },
    errors: ['missing_variable', 'content_violation', 'not_configured'],
  },
} as const satisfies Record<string, Endpoint>
