import { z } from 'zod'
import { Actor, Id, Instant, PageQuery, pageOf, UnitId } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { approvalKinds, patternTypes } from './enums.ts'
import { exampleId } from './example-ids.ts'
import { LocalisedText } from './localised-text.ts'
import { MessageListItem, Verdict } from './messages/list.ts'

export const Decisions = z
  .object({
    approve: Verdict.describe('Approve this version.'),
    reject: Verdict.describe('Reject this version, with a reason for its author.'),
  })
  .meta({
    id: 'Decisions',
    description:
      'What the caller may decide now: by role, state, authorship, quota, and what else has the same events or triggers.',
  })

export const WaitingApproval = z
  .object({
    kind: z
      .enum(approvalKinds)
      .describe('What waits: a message, or a version of a template, of an event binding or of a scenario.'),
    id: Id.describe('The id of the message, template, binding or scenario.'),
    version: z
      .int()
      .min(1)
      .describe('The version that waits. Pass it to approve and reject, so that no other one is decided.'),
    title: LocalisedText.describe(
      'Of a message its title; the name of a template or scenario, of a pattern its title; source and type of the events of a binding. The name of the ' +
        'category instead of a personal message for callers who may not see its text.',
    ),
    pattern: z
      .enum(patternTypes)
      .nullable()
      .describe(
        'Of a scenario what generated it: a registration, a survey or an rsvp; null of everything else.',
      ),
    author: Actor.describe('Who wrote this version; of a message, who created it.'),
    since: Instant.describe('Since when it waits, in UTC.'),
    recipients: MessageListItem.shape.recipients.describe(
      'Of a message who will receive it, from the stored dry-run; null for everything else.',
    ),
    startsAt: Instant.nullable().describe(
      'The earliest time of the send of a message, in UTC. null: as soon as it is approved, or it is no message.',
    ),
    allowed: Decisions.describe('What the caller may do with it now.'),
  })
  .meta({ id: 'WaitingApproval', description: 'What waits for a decision of an approver.' })
export type WaitingApproval = z.infer<typeof WaitingApproval>

const WaitingApprovalPage = pageOf(WaitingApproval).meta({
  id: 'WaitingApprovalPage',
  description: 'One page of what waits for approval in a unit, the oldest first.',
})

/** Sessions of people in several units must pass unitId. */
export const WaitingApprovalQuery = PageQuery.extend({ unitId: UnitId })
export type WaitingApprovalQuery = z.infer<typeof WaitingApprovalQuery>

/** What waits for a decision (docs/api/approvals.md). Each kind is decided about by its own operations. */
export const waitingApprovalEndpoints = {
  listApprovals: {
    method: 'GET',
    path: '/v1/approvals',
    tag: 'Units',
    summary: 'List what waits for approval',
    description:
      'Messages, and versions of templates, event bindings and scenarios, that wait for an approver of the unit, the oldest ' +
      'first. People decide about them on the pages `/approvals/{kind}/{id}`, programs with the operations of the kind.',
    auth: ['session'],
    roles: ['editor', 'approver'],
    unit: 'query',
    query: WaitingApprovalQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: WaitingApprovalPage,
        example: {
          items: [
            {
              kind: 'message',
              id: exampleId,
              version: 2,
              title: { 'zh-TW': '註冊今天截止', en: 'Registration closes today' },
              pattern: null,
              author: { id: 'person:01939a2e-0000-7000-8000-000000000002', name: 'Lin Mei' },
              since: '2026-11-30T03:00:00.000Z',
              recipients: { total: 115, byChannel: { chat: 112, email: 87 } },
              startsAt: '2026-11-30T10:00:00.000Z',
              allowed: { approve: { allowed: true }, reject: { allowed: true } },
            },
          ],
          nextCursor: null,
        },
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
