import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { Preview, PreviewMessage, TestSend, TestSent } from '../preview.ts'
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
  testSendMessage: {
    method: 'POST',
    path: '/v1/messages/{id}/test-send',
    tag: 'Messages',
    summary: 'Send it to yourself',
    description:
      'To the address of the caller: a person’s own mail address, or the chat address of the subject that they are. ' +
      'Marked as a test, in their language; its buttons do nothing. Costs no quota of the unit.',
    doors: ['session'],
    unit: 'object',
    params: IdParams,
    body: TestSend,
    bodyOptional: true,
    bodyExample: { channel: 'email' },
    answers: {
      200: {
        description: 'The provider has taken it.',
        schema: TestSent,
        example: { sent: true, channel: 'email' },
      },
    },
    errors: ['missing_variable', 'content_violation', 'provider', 'retryable', 'not_configured'],
  },
} as const satisfies Record<string, Endpoint>
