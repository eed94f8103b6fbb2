import { z } from 'zod'
import { Action } from './action.ts'
import { limits } from './limits.ts'
import { LocalisedText } from './localised-text.ts'

/** Plain text; line breaks stay. */
export const TextMessage = z
  .strictObject({ kind: z.literal('text'), text: LocalisedText })
  .meta({ id: 'TextMessage' })

/** A picture; `alt` says what is on it where it cannot be shown. */
export const ImageMessage = z
  .strictObject({
    kind: z.literal('image'),
    url: z.url(),
    alt: LocalisedText,
    previewUrl: z.url().optional(),
  })
  .meta({ id: 'ImageMessage' })

/** A sticker of the chat provider's; mail says `fallbackText` instead. */
export const StickerMessage = z
  .strictObject({
    kind: z.literal('sticker'),
    packageId: z.string().min(1),
    stickerId: z.string().min(1),
    fallbackText: LocalisedText.optional(),
  })
  .meta({ id: 'StickerMessage' })

/** A card with a title; where it is locked, `lockedReason` says why. */
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

/** Cards beside each other. */
export const CarouselMessage = z
  .strictObject({
    kind: z.literal('carousel'),
    cards: z.array(CardMessage).min(1).max(limits.cardsPerCarousel),
  })
  .meta({ id: 'CarouselMessage' })

/** Text above buttons, which stay. */
export const ButtonsMessage = z
  .strictObject({
    kind: z.literal('buttons'),
    text: LocalisedText,
    actions: z.array(Action).min(1).max(limits.actionsPerButtons),
  })
  .meta({ id: 'ButtonsMessage' })

/** A question with short answers; in the chat they are gone once one is given. */
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

/** One message as a producer writes it, before any channel has seen it (interface, CanonicalMessage). */
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
