import { z } from 'zod'
import { LocalisedText } from './localised-text.ts'

const label = LocalisedText
const identifier = z.string().min(1)

/** Opens a link. */
export const UriAction = z
  .strictObject({ kind: z.literal('uri'), label, url: z.url() })
  .meta({ id: 'UriAction' })

/** Sends the producer's own data back. It is recorded as an answer and never obeyed (design 7, Taps). */
export const PostbackAction = z
  .strictObject({
    kind: z.literal('postback'),
    label,
    data: z.strictObject({
      v: z.literal(1),
      s: z.string().optional(),
      n: z.string().optional(),
      o: z.string().optional(),
      m: z.string().optional(),
      a: z.string().optional(),
    }),
  })
  .meta({ id: 'PostbackAction' })

/** Goes on to a node of the scenario that sent the message. */
export const NextNodeAction = z
  .strictObject({ kind: z.literal('nextNode'), label, nodeId: identifier, optionId: z.string().optional() })
  .meta({ id: 'NextNodeAction' })

/** Starts another scenario. */
export const JumpScenarioAction = z
  .strictObject({ kind: z.literal('jumpScenario'), label, scenarioId: identifier })
  .meta({ id: 'JumpScenarioAction' })

/** Switches a category off for the person who taps. */
export const MuteAction = z
  .strictObject({ kind: z.literal('mute'), label, categoryId: identifier })
  .meta({ id: 'MuteAction' })

/** Adds the person who taps to a group. */
export const AddToGroupAction = z
  .strictObject({ kind: z.literal('addToGroup'), label, groupId: identifier })
  .meta({ id: 'AddToGroupAction' })

/** What a button does (interface, Action). */
export const Action = z
  .discriminatedUnion('kind', [
    UriAction,
    PostbackAction,
    NextNodeAction,
    JumpScenarioAction,
    MuteAction,
    AddToGroupAction,
  ])
  .meta({ id: 'Action' })
export type Action = z.infer<typeof Action>
