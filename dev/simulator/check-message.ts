import { z } from 'zod'
import { action, FlexContainer } from './check-flex.ts'
import { graphemes, imageUrl, text } from './check-text.ts'

const quickReply = z
  .strictObject({
    items: z
      .array(z.strictObject({ type: z.literal('action'), action: action(20) }))
      .min(1)
      .max(13),
  })
  .optional()

const quickReplyAndSender = {
  quickReply,
  sender: z.strictObject({ name: text(20), iconUrl: imageUrl.optional() }).optional(),
}

const stickerPart = z.string().regex(/^\d+$/, 'Must be a number')

const ButtonsTemplate = z.strictObject({
  type: z.literal('buttons'),
  text: graphemes(160),
  actions: z.array(action(20)).min(1).max(4),
})

/** A message object of a kind that Carillon sends, within the limits of the LINE Messaging API reference. */
export const Message = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: text(5_000), ...quickReplyAndSender }),
  z.strictObject({
    type: z.literal('image'),
    originalContentUrl: imageUrl,
    previewImageUrl: imageUrl,
    ...quickReplyAndSender,
  }),
  z.strictObject({
    type: z.literal('sticker'),
    packageId: stickerPart,
    stickerId: stickerPart,
    ...quickReplyAndSender,
  }),
  z.strictObject({
    type: z.literal('template'),
    altText: text(1_500),
    template: ButtonsTemplate,
    ...quickReplyAndSender,
  }),
  z.strictObject({
    type: z.literal('flex'),
    altText: text(1_500),
    contents: FlexContainer,
    ...quickReplyAndSender,
  }),
])
export type Message = z.infer<typeof Message>

/** The messages of one call. */
const Messages = z
  .array(Message)
  .min(1, 'Size must be between 1 and 5')
  .max(5, 'Size must be between 1 and 5')

/** One error of a request in the provider's format. */
export type Detail = { message: string; property: string }

/** The errors the provider reports for the messages of a call; empty if it accepts them. */
export function checkMessages(messages: unknown): Detail[] {
  const checked = Messages.safeParse(messages)
  if (checked.success) return []
  return checked.error.issues.map(({ message, path }) => ({
    message,
    property: propertyAt(['messages', ...path]),
  }))
}

function propertyAt(path: PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1)
}
