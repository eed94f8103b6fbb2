import type { LocalisedText } from '../../contract/localised-text.ts'
import { acknowledgementOf, defaultAcknowledgement, notAvailable } from '../content/acknowledgement.ts'
import { normaliseText } from '../lib/normalise-text.ts'

/**
 * What the chat answers when what a person said comes to nothing. `label`: what they chose. `keyword`: what begins the
 * scenario again. `choices`: the buttons to change or cancel follow.
 */
export type AutoReply =
  | { kind: 'answered'; label: LocalisedText | null }
  | { kind: 'over' | 'closed' | 'registered' | 'pushes_spent' }
  | { kind: 'registered_before'; keyword: string | null }
  | { kind: 'left' | 'left_waiting' }
  | { kind: 'left_registered'; keyword: string | null; choices: boolean }
  | { kind: 'unknown_option'; example: LocalisedText | null }
  | { kind: 'unsupported' | 'early' | 'not_active' }
  | { kind: 'taken'; label: LocalisedText }
  | { kind: 'settings' | 'no_settings' | 'guidance' }

/** The words of an answer that came to nothing, in both languages: what stands, and nothing else. */
export function autoReply(words: AutoReply): LocalisedText {
  switch (words.kind) {
    case 'unknown_option':
      return notUnderstood(words.example)
    case 'answered':
      return alreadyAnswered(words.label)
    case 'taken':
      return buttonTaken(words.label)
    case 'registered_before':
      return stillRegistered(words.keyword)
    case 'left_registered':
      return leftRegistered(words)
    default:
      return fixed[words.kind]
  }
}

/** A button that answers no question. */
function buttonTaken(label: LocalisedText): LocalisedText {
  const result = { kind: 'answered', label } as const
  return {
    'zh-TW': acknowledgementOf(defaultAcknowledgement, 'zh-TW', result),
    en: acknowledgementOf(defaultAcknowledgement, 'en', result),
  }
}

function alreadyAnswered(label: LocalisedText | null): LocalisedText {
  if (label === null)
    return { 'zh-TW': '您先前已經回答過這個問題了。', en: 'You have already answered this question.' }
  return {
    'zh-TW': `您先前已回答：${label['zh-TW']}`,
    en: `You have already answered: ${label.en ?? label['zh-TW']}`,
  }
}

function stillRegistered(keyword: string | null): LocalisedText {
  if (keyword !== null)
    return {
      'zh-TW': `您已經在名單上了。若要更改或取消，請傳「${keyword}」。`,
      en: `You are already on the list. To change your answers or cancel, send “${keyword}”.`,
    }
  return {
    'zh-TW': '您已經在名單上了。若要更改或取消，請再點一次邀請訊息中的按鈕。',
    en: 'You are already on the list. To change your answers or cancel, please use the button in the invitation again.',
  }
}

type LeftRegistered = Extract<AutoReply, { kind: 'left_registered' }>

/** Who leaves the conversation may have meant to give up the place: they are asked. */
function leftRegistered({ keyword, choices }: LeftRegistered): LocalisedText {
  const left = {
    'zh-TW': '好的，已結束這段對話，但您仍在名單上。',
    en: 'OK, this conversation has ended, but you are still on the list.',
  }
  const ask = choices ? { 'zh-TW': '要更改或取消嗎？', en: ' Would you like to change that?' } : null
  const later =
    keyword === null
      ? null
      : {
          'zh-TW': `之後也可以傳「${keyword}」。`,
          en: ` You can also send “${keyword}” later.`,
        }
  return {
    'zh-TW': `${left['zh-TW']}${ask?.['zh-TW'] ?? ''}${later?.['zh-TW'] ?? ''}`,
    en: `${left.en}${ask?.en ?? ''}${later?.en ?? ''}`,
  }
}

/** `example`: the label of an option that can be typed; null: the question has none. */
function notUnderstood(example: LocalisedText | null): LocalisedText {
  if (example === null)
    return {
      'zh-TW': '不好意思，我沒看懂。請依照上方的問題回覆。',
      en: 'Sorry, I didn’t understand that. Please reply to the question above.',
    }
  return {
    'zh-TW': `不好意思，我沒看懂。請點選上方的選項，或照著輸入，例如「${example['zh-TW']}」。`,
    en: `Sorry, I didn’t understand that. Please tap one of the options above, or type one, for example “${example.en ?? example['zh-TW']}”.`,
  }
}

type Fixed = Exclude<
  AutoReply['kind'],
  'answered' | 'unknown_option' | 'registered_before' | 'left_registered' | 'taken'
>

const fixed: Record<Fixed, LocalisedText> = {
  over: {
    'zh-TW': '這個問題已經結束，不再接受回答。',
    en: 'This question is closed and no longer accepts answers.',
  },
  pushes_spent: {
    'zh-TW': '您今天開始的對話已經傳了很多則訊息，所以這段對話先結束了。想繼續的話，請明天再重新開始。',
    en:
      'The conversations you started have reached their daily limit of messages, so this one has ended. ' +
      'Please start it again tomorrow.',
  },
  closed: {
    'zh-TW': '已經截止，不能再回覆或更改了。',
    en: 'Answers are closed and can no longer be changed.',
  },
  registered: {
    'zh-TW': '您已經在名單上了。若要更改或取消，請點選最新訊息中的按鈕。',
    en: 'You are already on the list. To change your answers or cancel, please use the buttons in the newest message.',
  },
  unsupported: {
    'zh-TW': '不好意思，這裡只看得懂文字，看不懂圖片、貼圖、位置或語音。',
    en: 'Sorry, only text is understood here, not pictures, stickers, locations or voice messages.',
  },
  early: {
    'zh-TW': '這則訊息是在上方的問題送出前收到的，所以沒有當作回答。請回覆上方的問題。',
    en:
      'Your message arrived before the question above was sent, so it was not taken as an answer. ' +
      'Please reply to the question above.',
  },
  left: { 'zh-TW': '好的，已結束這段對話。', en: 'OK, this conversation has ended.' },
  left_waiting: {
    'zh-TW': '好的，已結束這段對話，也為您取消了候補。',
    en: 'OK, this conversation has ended, and you are no longer on the waiting list.',
  },
  not_active: notAvailable,
  settings: {
    'zh-TW': '您可以在這裡查看、更改您收到哪些通知：',
    en: 'Here you can see and change which notifications you get:',
  },
  no_settings: {
    'zh-TW': '這裡目前沒有您的通知設定：您還沒有收到過這裡的通知。收到以後，請再傳一次「設定」。',
    en:
      'There are no notification settings for you yet, because you have not received a notification here. ' +
      'Once you have, please send “settings” again.',
  },
  guidance: {
    'zh-TW':
      '這個帳號自動發送通知，您傳的內容沒有人會讀到。要查看或更改通知設定，請傳「設定」；' +
      '要回答訊息裡的問題，請點選按鈕，或輸入選項的文字。',
    en:
      'This account sends notifications automatically, and nobody reads what is written here. ' +
      'To see or change your notification settings, send “settings”. ' +
      'To answer a question in a message, tap its button, or type the words on it.',
  },
}

/** Texts that end a conversation when they stand alone, normalised. */
export const exitKeywords: readonly string[] = ['取消', '退出', 'cancel', 'stop']

/** Texts that open the settings when they stand alone, normalised. They change nothing by themselves. */
export const settingsKeywords: readonly string[] = [
  '設定',
  '通知設定',
  '取消訂閱',
  'settings',
  'unsubscribe',
  'help',
]

/** Whether a typed text asks for the settings. */
export function isSettingsKeyword(text: string): boolean {
  return settingsKeywords.includes(normaliseText(text))
}

/** Whether a typed text leaves a conversation. */
export function isExitKeyword(text: string): boolean {
  return exitKeywords.includes(normaliseText(text))
}
