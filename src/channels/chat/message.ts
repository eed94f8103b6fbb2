import type { CanonicalMessage } from '../../contract/messages/content.ts'
import { compileCard, reportSize } from './cards.ts'
import { buttonsMessage, optionsMessage, quickReplyMessage } from './choices.ts'
import { type CompileContext, readText } from './compile-context.ts'
import { flexMessage } from './flex.ts'
import { readFormatted } from './formatted.ts'
import { chatLimits } from './limits.ts'
import { readImageUrl } from './links.ts'
import type { MessageOfKind, MessagePosition } from './message-position.ts'
import type { ChatFlex, ChatImage, ChatMessage, ChatText, FlexCarousel } from './wire.ts'

/** Compiles a message to the provider's message object. */
export function compileMessage(
  context: CompileContext,
  position: MessagePosition,
  message: CanonicalMessage,
): ChatMessage {
  switch (message.kind) {
    case 'text':
      return textMessage(context, position, message)
    case 'image':
      return imageMessage(context, position, message)
    case 'sticker':
      return stickerMessage(context, position, message)
    case 'card':
      return cardMessage(context, position, message)
    case 'carousel':
      return carouselMessage(context, position, message)
    case 'buttons':
      return buttonsMessage(context, position, message)
    case 'quickReply':
      return position.last
        ? quickReplyMessage(context, position, message)
        : optionsMessage(context, position, message)
  }
}

function textMessage(
  context: CompileContext,
  { path }: MessagePosition,
  { text, format }: MessageOfKind<'text'>,
): ChatText {
  return {
    type: 'text',
    text: readFormatted(context, `${path}.text`, { text, format }, { units: chatLimits.textUnits }),
  }
}

/**
 * The provider's image message has no alternative text: only mail and inbox use `alt`. It requires a preview; without
 * one, the image itself serves.
 */
function imageMessage(
  context: CompileContext,
  { path }: MessagePosition,
  image: MessageOfKind<'image'>,
): ChatImage {
  const url = readImageUrl(context, `${path}.url`, image.url)
  return {
    type: 'image',
    originalContentUrl: url,
    previewImageUrl: image.previewUrl ? readImageUrl(context, `${path}.previewUrl`, image.previewUrl) : url,
  }
}

/** The provider's sticker ids are numbers; a sticker with other ids becomes its `fallbackText`, if it has one. */
function stickerMessage(
  context: CompileContext,
  position: MessagePosition,
  sticker: MessageOfKind<'sticker'>,
): ChatMessage {
  const { packageId, stickerId, fallbackText } = sticker
  if (/^\d{1,20}$/.test(packageId) && /^\d{1,20}$/.test(stickerId))
    return { type: 'sticker', packageId, stickerId }
  if (fallbackText) {
    const path = `${position.path}.fallbackText`
    return { type: 'text', text: readText(context, path, fallbackText, { units: chatLimits.textUnits }) }
  }
  context.violations.add(position.path, 'unknown_sticker')
  return { type: 'sticker', packageId, stickerId }
}

function cardMessage(
  context: CompileContext,
  { path, tapOf }: MessagePosition,
  card: MessageOfKind<'card'>,
): ChatFlex {
  const { bubble, lines } = compileCard(context, path, card, (action) => tapOf(String(action)))
  return flexMessage(lines, bubble)
}

function carouselMessage(
  context: CompileContext,
  { path, tapOf }: MessagePosition,
  { cards }: MessageOfKind<'carousel'>,
) {
  const compiled = cards.map((card, index) =>
    compileCard(context, `${path}.cards[${index}]`, card, (action) => tapOf(`${index}.${action}`)),
  )
  const carousel: FlexCarousel = {
    type: 'carousel',
    contents: compiled.map(({ bubble }) => bubble),
  }
  reportSize(context, `${path}.cards`, carousel, chatLimits.carouselBytes)
  return flexMessage(
    compiled.flatMap(({ lines }) => lines),
    carousel,
  )
}
