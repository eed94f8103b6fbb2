import { localise } from '../../domain/localise.ts'
import { compileAction, tapAction } from './actions.ts'
import { reportSize } from './cards.ts'
import { type CompileContext, readText } from './compile-context.ts'
import { altText, buttonBubble, flexMessage } from './flex.ts'
import { fitsGraphemes } from './lengths.ts'
import { chatLimits } from './limits.ts'
import type { MessageOfKind, MessagePosition } from './message-position.ts'
import type { ChatAction, ChatFlex, ChatMessage, ChatText } from './wire.ts'

/** A template if text and labels fit its limits, otherwise a bubble, whose limits are higher. */
export function buttonsMessage(
  sheet: CompileContext,
  { path, tapOf }: MessagePosition,
  message: MessageOfKind<'buttons'>,
): ChatMessage {
  const { templateTextGraphemes, templateLabelGraphemes, flexLabelGraphemes } = chatLimits
  const template =
    fitsGraphemes(localise(sheet.locale, message.text), templateTextGraphemes) &&
    message.actions.every(({ label }) => fitsGraphemes(localise(sheet.locale, label), templateLabelGraphemes))
  const text = readText(sheet, `${path}.text`, message.text)
  const actions = message.actions.map((action, index) => {
    const limit = template ? templateLabelGraphemes : flexLabelGraphemes
    return compileAction(sheet, `${path}.actions[${index}]`, action, tapOf(String(index)), limit)
  })
  if (!template) return bubbleMessage(sheet, path, text, actions)
  return { type: 'template', altText: altText([text]), template: { type: 'buttons', text, actions } }
}

/** Options below the chat; the provider shows only those of the last message. */
export function quickReplyMessage(
  sheet: CompileContext,
  place: MessagePosition,
  message: MessageOfKind<'quickReply'>,
): ChatText {
  const actions = optionActions(sheet, place, message, chatLimits.quickReplyLabelGraphemes)
  return {
    type: 'text',
    text: readText(sheet, `${place.path}.text`, message.text, { units: chatLimits.textUnits }),
    quickReply: { items: actions.map((action) => ({ type: 'action', action })) },
  }
}

/** Options of a message that is not the last one, as a bubble of buttons, which stays visible. */
export function optionsMessage(
  sheet: CompileContext,
  place: MessagePosition,
  message: MessageOfKind<'quickReply'>,
): ChatFlex {
  const actions = optionActions(sheet, place, message, chatLimits.flexLabelGraphemes)
  return bubbleMessage(sheet, place.path, readText(sheet, `${place.path}.text`, message.text), actions)
}

function optionActions(
  sheet: CompileContext,
  place: MessagePosition,
  { options }: MessageOfKind<'quickReply'>,
  labelGraphemes: number,
) {
  return options.map(({ label }, index) => {
    const path = `${place.path}.options[${index}]`
    return tapAction(sheet, path, label, place.tapOf(String(index)), labelGraphemes)
  })
}

function bubbleMessage(sheet: CompileContext, path: string, text: string, actions: ChatAction[]) {
  const bubble = buttonBubble(text, actions)
  reportSize(sheet, path, bubble, chatLimits.bubbleBytes)
  return flexMessage([text], bubble)
}
