import { z } from 'zod'
import { liquidOpenings } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedText } from '../localised-text.ts'

const label = LocalisedText
const identifier = z.string().min(1)

const postbackData = z.strictObject({
  v: z.literal(1),
  s: z.string().optional(),
  n: z.string().optional(),
  o: z.string().optional(),
  m: z.string().optional(),
  a: z.string().optional(),
})
/** The producer's own data of a button, as it wrote them. */
export type PostbackData = z.infer<typeof postbackData>

/** Carries the producer's own data, which Carillon keeps with the answer and never obeys (docs/api/webhooks.md). */
export const PostbackAction = z
  .strictObject({ kind: z.literal('postback'), label, data: postbackData })
  .meta({ id: 'PostbackAction' })

/** Names a node of a scenario. Scenarios are not available yet: Carillon records the tap as an answer. */
export const NextNodeAction = z
  .strictObject({ kind: z.literal('nextNode'), label, nodeId: identifier, optionId: z.string().optional() })
  .meta({ id: 'NextNodeAction' })

/** Names another scenario. Scenarios are not available yet: Carillon records the tap as an answer. */
export const JumpScenarioAction = z
  .strictObject({ kind: z.literal('jumpScenario'), label, scenarioId: identifier })
  .meta({ id: 'JumpScenarioAction' })

/** Turns a category off for the recipient. */
export const MuteAction = z
  .strictObject({ kind: z.literal('mute'), label, categoryId: identifier })
  .meta({ id: 'MuteAction' })

/** Adds the recipient to a group. */
export const AddToGroupAction = z
  .strictObject({ kind: z.literal('addToGroup'), label, groupId: identifier })
  .meta({ id: 'AddToGroupAction' })

/** Plain text; line breaks are kept. */
export const TextMessage = z
  .strictObject({ kind: z.literal('text'), text: LocalisedText })
  .meta({ id: 'TextMessage' })

/** A sticker of the chat provider; mail shows `fallbackText` instead. */
export const StickerMessage = z
  .strictObject({
    kind: z.literal('sticker'),
    packageId: z.string().min(1),
    stickerId: z.string().min(1),
    fallbackText: LocalisedText.optional(),
  })
  .meta({ id: 'StickerMessage' })

/** A question with short answers. In the chat, they disappear once the recipient chooses one. */
export const QuickReplyMessage = z
  .strictObject({
    kind: z.literal('quickReply'),
    text: LocalisedText,
    options: z
      .array(z.strictObject({ id: z.string().min(1), label: LocalisedText }))
      .min(1)
      .max(limits.quickReplyOptions),
  })
  .meta({ id: 'QuickReplyMessage' })

/** The kinds with links, and the unions that contain them. `prefix` is that of their names in OpenAPI. */
function kindsWithLinks<Link extends z.ZodType<string, string>>(link: Link, prefix: 'Template' | '') {
  /** Opens a link. */
  const UriAction = z
    .strictObject({ kind: z.literal('uri'), label, url: link })
    .meta({ id: `${prefix}UriAction` })

  /** The action of a button. */
  const Action = z
    .discriminatedUnion('kind', [
      UriAction,
      PostbackAction,
      NextNodeAction,
      JumpScenarioAction,
      MuteAction,
      AddToGroupAction,
    ])
    .meta({ id: `${prefix}Action` })

  /** An image; `alt` describes it where it cannot be shown. */
  const ImageMessage = z
    .strictObject({
      kind: z.literal('image'),
      url: link,
      alt: LocalisedText,
      previewUrl: link.optional(),
    })
    .meta({ id: `${prefix}ImageMessage` })

  /** A card with a title. A locked card gives its reason in `lockedReason`. */
  const CardMessage = z
    .strictObject({
      kind: z.literal('card'),
      header: LocalisedText.optional(),
      title: LocalisedText,
      body: LocalisedText.optional(),
      imageUrl: link.optional(),
      actions: z.array(Action).max(limits.actionsPerCard),
      lockedReason: LocalisedText.optional(),
    })
    .meta({ id: `${prefix}CardMessage` })

  /** Cards side by side. */
  const CarouselMessage = z
    .strictObject({
      kind: z.literal('carousel'),
      cards: z.array(CardMessage).min(1).max(limits.cardsPerCarousel),
    })
    .meta({ id: `${prefix}CarouselMessage` })

  /** Text above permanent buttons. */
  const ButtonsMessage = z
    .strictObject({
      kind: z.literal('buttons'),
      text: LocalisedText,
      actions: z.array(Action).min(1).max(limits.actionsPerButtons),
    })
    .meta({ id: `${prefix}ButtonsMessage` })

  const Message = z
    .discriminatedUnion('kind', [
      TextMessage,
      ImageMessage,
      StickerMessage,
      CardMessage,
      CarouselMessage,
      ButtonsMessage,
      QuickReplyMessage,
    ])
    .meta({ id: prefix === '' ? 'CanonicalMessage' : 'TemplateMessage' })
  return { Action, CardMessage, Message }
}

const canonical = kindsWithLinks(z.url(), '')

/** One message in the producer's form, before it is compiled for a channel. */
export const CanonicalMessage = canonical.Message
export type CanonicalMessage = z.infer<typeof CanonicalMessage>
export type Action = z.infer<typeof canonical.Action>
export type CardMessage = z.infer<typeof canonical.CardMessage>

const templateLink = z
  .string()
  .refine(
    (text) => liquidOpenings.some((opening) => text.includes(opening)) || URL.canParse(text),
    'must be a URL, or contain a variable',
  )
  .meta({
    description: 'A URL, or a text with variables. With the variables filled in it must be a URL.',
    examples: ['https://example.edu/courses/{{ course }}', '{{ link }}'],
  })

/** One message of a template: its links may contain variables, like its texts. */
export const TemplateMessage = kindsWithLinks(templateLink, 'Template').Message
