import { z } from 'zod'
import { Channel } from './common.ts'
import type { ErrorCode } from './errors.ts'
import { LocalisedName } from './localised-text.ts'
import { Violation } from './messages/dry-run.ts'
import { type Broken, broken } from './rules.ts'
import { GraphProblem } from './scenarios/problem.ts'

export const Issue = z
  .looseObject({
    path: z
      .string()
      .describe(
        'Where it is: `messages[0].text.zh-TW` in the body, the name of a parameter or header, `line 17` of a list; empty ' +
          'for the request as a whole.',
      ),
    message: z
      .string()
      .describe('What the value must be, in English, to follow the path. Never repeats the value.'),
    rule: z
      .string()
      .describe(
        'The rule that it breaks, such as `too_long`, with its facts beside it: branch on it (docs/api/errors.md, Rules of ' +
          'issues). An open list: treat one that you do not know as `invalid`.',
      ),
    limit: z
      .number()
      .optional()
      .describe('The most or the least that the rule allows. Omitted: it has no limit.'),
    unit: z
      .string()
      .optional()
      .describe('What the limit counts, such as `characters` or `entries`. Omitted: the value itself.'),
  })
  .meta({ id: 'Issue', description: 'One thing that is wrong with the request.' })

const issuesOf = (path: string, rule: Broken) =>
  z
    .looseObject({
      issues: z.array(Issue).describe('What is wrong, in the order of the request; at most 50.'),
    })
    .describe('What is wrong with the request, and where.')
    .meta({ examples: [{ issues: [{ path, ...rule }] }] })

/**
 * The `details` of each error; null: it has none. An operation whose details differ names them itself
 * (`Endpoint.details`).
 */
export const errorDetails: Record<ErrorCode, z.ZodType | null> = {
  validation_error: issuesOf('title.zh-TW', broken('too_long', { limit: 60, unit: 'characters' })),
  idempotency_key_required: null,
  content_violation: z
    .looseObject({
      violations: z.array(Violation).describe('What must be changed, as in the dry-run.'),
      unknownUids: z
        .int()
        .min(0)
        .optional()
        .describe('Where a message has no recipients: how many uids of its audience belong to no subject.'),
    })
    .describe('What is wrong with the content, and where.')
    .meta({
      examples: [
        {
          violations: [
            {
              path: 'messages[0].text.zh-TW',
              code: 'too_long',
              limit: 5_000,
              message: { 'zh-TW': '文字最多 5000 字。', en: 'A text has at most 5000 characters.' },
            },
          ],
        },
      ],
    }),
  missing_variable: z
    .looseObject({
      variables: z.array(z.string()).describe('The names of all required variables without a value.'),
      labels: z
        .record(z.string(), LocalisedName)
        .optional()
        .describe('What people call them, by name. Omitted: none of them has a label.'),
    })
    .describe('Which variables are missing.')
    .meta({ examples: [{ variables: ['department'] }] }),
  audience_dimension_not_allowed: z
    .looseObject({
      dimensions: z
        .array(z.string())
        .describe('The dimensions of the audience that the key may not use, such as `tags`, or `all`.'),
    })
    .describe('Which dimensions to remove.')
    .meta({ examples: [{ dimensions: ['tags'] }] }),
  dag_invalid: z
    .looseObject({ problems: z.array(GraphProblem).describe('Everything that is wrong with the graph.') })
    .describe('What is wrong with the graph, and where.')
    .meta({
      examples: [
        {
          problems: [
            {
              rule: 'dead_end',
              node: 'hello',
              message: {
                'zh-TW': '這個步驟之後沒有下一步。請加上連線，或改為「結束」。',
                en: 'Nothing follows this node. Add an edge, or an end node.',
              },
            },
          ],
        },
      ],
    }),
  fixed_category: issuesOf('categories.safety.chat', broken('mandatory_category')),
  topic_inactive: issuesOf('topicId', broken('inactive', { of: 'topic' })),
  remind_before_send: issuesOf('remindAt', broken('not_after', { than: 'sendTime' })),
  remind_after_expiry: issuesOf('remindAt', broken('not_before', { than: 'expiresAt' })),
  unauthenticated: null,
  invalid_credential: null,
  not_bound: null,
  bad_signature: null,
  stale_timestamp: null,
  unknown_key: null,
  forbidden: null,
  unit_required: null,
  category_not_allowed: null,
  individual_targeting_disabled: null,
  identity_api_forbidden: null,
  not_found: issuesOf('categoryId', broken('unknown_reference', { to: 'enabled_category' }))
    .describe('Only if the body refers to what does not exist: where. Omitted if the path does.')
    .optional(),
  method_not_allowed: null,
  idempotency_mismatch: z
    .looseObject({ id: z.string().describe('The message that was created with this Idempotency-Key.') })
    .describe('What the key was used for.')
    .meta({ examples: [{ id: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f' }] }),
  invalid_transition: z
    .looseObject({
      state: z
        .string()
        .describe(
          'The current state: of the message, template version, binding, scenario or its version; `bound` for an address, ' +
            'an event type or a trigger that something else has; `disabled` for a disabled binding.',
        ),
      by: z
        .string()
        .nullable()
        .describe('Who set it, such as `person:…`, `key:…` or `system:run`; null if unknown.'),
      at: z.iso.datetime().nullable().describe('When it was set, in UTC; null if `by` is.'),
    })
    .describe('The state that does not allow the call.')
    .meta({
      examples: [
        { state: 'sent', by: 'person:01939a2e-0000-7000-8000-000000000002', at: '2026-12-01T01:00:00.000Z' },
      ],
    }),
  quota_exceeded: z
    .looseObject({
      channel: Channel.describe('The channel whose quota is short.'),
      short: z.int().min(1).describe('How many pushes are missing from unit and pool together.'),
    })
    .describe('How much quota is missing.')
    .meta({ examples: [{ channel: 'chat', short: 120 }] }),
  self_approval: null,
  group_subset: z
    .looseObject({ count: z.int().min(1).describe('How many people are in the way.') })
    .describe('Omitted if the group would be its own ancestor.')
    .meta({ examples: [{ count: 3 }] })
    .optional(),
  too_many_runs: null,
  too_many_subjects: null,
  too_many_events: null,
  payload_too_large: null,
  rate_limited: null,
  internal: null,
  provider: null,
  retryable: null,
  not_configured: null,
  unavailable: null,
}
