import { z } from 'zod'
import { limits } from '../limits.ts'
import { LocalisedText } from '../localised-text.ts'

const label = LocalisedText
const identifier = z.string().min(1)

/** Opens a link. */
export const UriAction = z
  .strictObject({ kind: z.literal('uri'), label, url: z.url() })
  .meta({ id: 'UriAction' })

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

/** The action of a button. */
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

/** Plain text; line breaks are kept. */
export const TextMessage = z
  .strictObject({ kind: z.literal('text'), text: LocalisedText })
  .meta({ id: 'TextMessage' })

/** An image; `alt` describes it where it cannot be shown. */
export const ImageMessage = z
  .strictObject({
    kind: z.literal('image'),
    url: z.url(),
    alt: LocalisedText,
    previewUrl: z.url().optional(),
  })
  .meta({ id: 'ImageMessage' })

/** A sticker of the chat provider; mail shows `fallbackText` instead. */
export const StickerMessage = z
  .strictObject({
    kind: z.literal('sticker'),
    packageId: z.string().min(1),
    stickerId: z.string().min(1),
    fallbackText: LocalisedText.optional(),
  })
  .meta({ id: 'StickerMessage' })

/** A card with a title. A locked card gives its reason in `lockedReason`. */
export const CardMessage = z
  .strictObject({
    kind: z.literal('card'),
    header: LocalisedText.optional(),
    title: LocalisedText,
    body: LocalisedText.optional(),
    imageUrl: z.url().optional(),
    actions: z.array(Action).max(limits.actionsPerCard),
    lockedReason: LocalisedText.optional(),
  })
  .meta({ id: 'CardMessage' })
export type CardMessage = z.infer<typeof CardMessage>

/** Cards side by side. */
export const CarouselMessage = z
  .strictObject({
    kind: z.literal('carousel'),
    cards: z.array(CardMessage).min(1).max(limits.cardsPerCarousel),
  })
  .meta({ id: 'CarouselMessage' })

/** Text above permanent buttons. */
export const ButtonsMessage = z
  .strictObject({
    kind: z.literal('buttons'),
    text: LocalisedText,
    actions: z.array(Action).min(1).max(limits.actionsPerButtons),
  })
  .meta({ id: 'ButtonsMessage' })

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

/** One message in the producer's form, before it is compiled for a channel. */
export const CanonicalMessage = z
  .discriminatedUnion('kind', [
    TextMessage,
    ImageMessage,
    StickerMessage,
    CardMessage,
    CarouselMessage,
    ButtonsMessage,
    QuickReplyMessage,
  ])
  .meta({ id: 'CanonicalMessage' })
export type CanonicalMessage = z.infer<typeof CanonicalMessage>
