import { z } from 'zod'
import { Actor, Id, Instant, oneOrMore, PageQuery, pageOf, UnitId } from '../common.ts'
import { handoffEnds, handoffStates, turnStates } from '../enums.ts'
import { limits } from '../limits.ts'
import { CanonicalMessage } from '../messages/content.ts'
import { refuseLongText, textLimit } from '../text-length.ts'

const fields = {
  id: Id.describe('The id of the handoff.'),
  unitId: Id.describe('The unit whose people answer.'),
  state: z.enum(handoffStates).describe('`open`: what the person types goes to the people of the unit.'),
  openedBy: z
    .enum(['scenario', 'assistant'])
    .describe('What handed the conversation over: the node of a scenario, or the conversational assistant.'),
  scenarioId: Id.nullable().describe('The scenario; null: the assistant opened it.'),
  runId: Id.nullable()
    .optional()
    .describe(
      'The run that waits at the node; null: the assistant opened it. Only for callers who may read ' +
        'personal data of runs.',
    ),
  node: z
    .string()
    .nullable()
    .optional()
    .describe('The id of the node; null: the assistant opened it. Only for the same callers.'),
  conversationId: z
    .string()
    .nullable()
    .describe(
      'The conversation as the assistant names it; null: a scenario opened it, or it is past retention.',
    ),
  subjectId: Id.nullable().describe(
    'The person; null: the chat address is not bound, the person was erased, or the handoff is past ' +
      'retention.',
  ),
  uid: z.string().nullable().describe('Their uid; null as `subjectId`.'),
  test: z.boolean().describe('Whether a test run opened it; such handoffs send no mail.'),
  openedAt: Instant.describe('When, in UTC.'),
  spokenAt: Instant.describe(
    'The time of the last message of either side, in UTC; at first, of its opening.',
  ),
  closedAt: Instant.nullable().describe('When it was closed, in UTC; null: it is open.'),
  closedBy: Actor.nullable().describe('Who closed it; null: it is open.'),
  endReason: z
    .enum(handoffEnds)
    .nullable()
    .describe(
      'Why it is closed: by the unit (`closed`), by the `assistant`, after a day of `silence`, because the time of its ' +
        'node was over (`timeout`), because its run ended another way (`run_ended`), because the chat address is no longer ' +
        "the person's (`unbound`), or because the person was `erased`; null: it is open.",
    ),
}

export const Handoff = z
  .object(fields)
  .meta({ id: 'Handoff', description: 'A conversation that people of a unit have taken over.' })
export type Handoff = z.infer<typeof Handoff>

export const HandoffPage = pageOf(Handoff).meta({
  id: 'HandoffPage',
  description: 'One page of the handoffs of a unit, newest first.',
})
export type HandoffPage = z.infer<typeof HandoffPage>

/** By state. Sessions of people in several units must pass unitId. */
export const HandoffQuery = PageQuery.extend({
  unitId: UnitId,
  state: oneOrMore(z.enum(handoffStates))
    .optional()
    .describe('Only handoffs in these states. May be repeated. Omitted: all.'),
})
export type HandoffQuery = z.infer<typeof HandoffQuery>

export const HandoffMessage = z
  .object({
    id: Id.describe('The id of the message.'),
    by: z.enum(['person', 'unit']).describe('Who said it.'),
    at: Instant.describe('When it was taken, in UTC.'),
    text: z
      .string()
      .nullable()
      .describe('The text of the person; null: not a text, or a reply of the unit, which is in `messages`.'),
    messages: z
      .array(CanonicalMessage)
      .nullable()
      .describe('The reply of the unit; null: a message of the person, or its text was deleted.'),
    actor: Actor.nullable().describe('Who replied; null: a message of the person.'),
    state: z
      .enum(turnStates)
      .nullable()
      .describe(
        'Of a reply: `pending`: it will be sent. `unknown`: it may or may not have arrived. null: a ' +
          'message of the person.',
      ),
    reason: z.string().nullable().describe('Why a reply was skipped or failed; null if there is no reason.'),
  })
  .meta({ id: 'HandoffMessage', description: 'A message of one side of a handoff.' })

export const HandoffDetail = z
  .object({
    ...fields,
    messages: z
      .array(HandoffMessage)
      .describe(
        `The conversation, oldest first: the newest ${limits.messagesPerHandoff} of what was said, and of these as many as ` +
          `have ${limits.handoffCharacters} characters together.`,
      ),
    omitted: z.int().min(0).describe('How many older ones are not shown.'),
  })
  .meta({ id: 'HandoffDetail', description: 'A handoff with its conversation.' })
export type HandoffDetail = z.infer<typeof HandoffDetail>

export const ClosedHandoff = z
  .object({
    id: Id.describe('The id of the handoff.'),
    state: z.literal('closed').describe('Always closed.'),
  })
  .meta({ id: 'ClosedHandoff', description: 'The handoff is closed.' })
export type ClosedHandoff = z.infer<typeof ClosedHandoff>

export const ReplyInHandoff = z
  .strictObject({
    messages: z
      .array(CanonicalMessage)
      .min(1)
      .max(limits.messagesPerTurn)
      .describe(
        `The reply, 1 to ${limits.messagesPerTurn} messages. Buttons may only be links, because people answer by ` +
          `writing. ${textLimit}`,
      ),
  })
  .superRefine(refuseLongText)
  .meta({ id: 'ReplyInHandoff', description: 'A reply of the unit.' })
export type ReplyInHandoff = z.infer<typeof ReplyInHandoff>

export const HandoffReply = z
  .object({
    id: Id.describe('The id of the reply in `messages` of the handoff.'),
    state: z.enum(turnStates).describe('`pending`: it will be sent. Of a repeat: what has become of it.'),
  })
  .meta({ id: 'HandoffReply', description: 'The reply is stored.' })
export type HandoffReply = z.infer<typeof HandoffReply>
