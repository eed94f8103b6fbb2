import { fitsGraphemes } from '../../domain/content/graphemes.ts'
import { localise } from '../../domain/content/localise.ts'
import { compileAction, tapAction } from './actions.ts'
import { reportSize } from './cards.ts'
import { type CompileContext, readText } from './compile-context.ts'
import { altText, buttonBubble, flexMessage } from './flex.ts'
import { chatLimits } from './limits.ts'
import type { MessageOfKind, MessagePosition } from './message-position.ts'
import type { ChatAction, ChatFlex, ChatMessage } from './wire.ts'

/** A template if text and labels fit its limits, otherwise a bubble, whose limits are higher. */
export function buttonsMessage(
  context: CompileContext,
  { path, tapOf }: MessagePosition,
  message: MessageOfKind<'buttons'>,
): ChatMessage {
  const { templateTextGraphemes, templateLabelGraphemes, flexLabelGraphemes } = chatLimits
  const template =
    fitsGraphemes(localise(context.locale, message.text), templateTextGraphemes) &&
    message.actions.every(({ label }) =>
      fitsGraphemes(localise(context.locale, label), templateLabelGraphemes),
    )
  const text = readText(context, `${path}.text`, message.text)
  const actions = message.actions.map((action, index) => {
    const limit = template ? templateLabelGraphemes : flexLabelGraphemes
    return compileAction(context, `${path}.actions[${index}]`, action, tapOf(String(index)), limit)
  })
  if (!template) return bubbleMessage(context, path, text, actions)
  return { type: 'template', altText: altText([text]), template: { type: 'buttons', text, actions } }
}

/** Options below the chat; the provider shows only those of the last message. */
export function quickReplyMessage(
  context: CompileContext,
  position: MessagePosition,
  message: MessageOfKind<'quickReply'>,
): ChatMessage {
  const actions = optionActions(context, position, message, chatLimits.quickReplyLabelGraphemes)
  return {
    type: 'text',
    text: readText(context, `${position.path}.text`, message.text, { units: chatLimits.textUnits }),
    quickReply: { items: actions.map((action) => ({ type: 'action', action })) },
  }
}

/** Options of a message that is not the last one, as a bubble of buttons, which stays visible. */
export function optionsMessage(
  context: CompileContext,
  position: MessagePosition,
  message: MessageOfKind<'quickReply'>,
): ChatFlex {
  const actions = optionActions(context, position, message, chatLimits.flexLabelGraphemes)
  return bubbleMessage(
    context,
    position.path,
    readText(context, `${position.path}.text`, message.text),
    actions,
  )
}

function optionActions(
  context: CompileContext,
  position: MessagePosition,
  { options }: MessageOfKind<'quickReply'>,
  labelGraphemes: number,
) {
  return options.map(({ label }, index) => {
    const path = `${position.path}.options[${index}]`
    return tapAction(context, path, label, position.tapOf(String(index)), labelGraphemes)
  })
}

function bubbleMessage(context: CompileContext, path: string, text: string, actions: ChatAction[]) {
  const bubble = buttonBubble(text, actions)
  reportSize(context, path, bubble, chatLimits.bubbleBytes)
  return flexMessage([text], bubble)
}
