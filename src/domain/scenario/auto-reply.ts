import type { LocalisedText } from '../../contract/localised-text.ts'
import { notAvailable } from '../content/acknowledgement.ts'

/** What the chat answers when what a person said comes to nothing; `label`: what they chose. */
export type AutoReply =
  | { kind: 'answered'; label: LocalisedText | null }
  | { kind: 'over' | 'closed' | 'registered' | 'registered_before' | 'pushes_spent' }
  | { kind: 'left' | 'left_registered' | 'left_waiting' }
  | { kind: 'unknown_option'; example: LocalisedText | null }
  | { kind: 'unsupported' | 'not_active' }

/** The words of an answer that came to nothing, in both languages: what stands, and nothing else. */
export function autoReply(words: AutoReply): LocalisedText {
  if (words.kind === 'unknown_option') return notUnderstood(words.example)
  if (words.kind !== 'answered') return fixed[words.kind]
  const { label } = words
  if (label === null)
    return { 'zh-TW': '您先前已經回答過這個問題了。', en: 'You have already answered this question.' }
  return {
    'zh-TW': `您先前已回答：${label['zh-TW']}`,
    en: `You have already answered: ${label.en ?? label['zh-TW']}`,
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

const fixed: Record<Exclude<AutoReply['kind'], 'answered' | 'unknown_option'>, LocalisedText> = {
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
  registered_before: {
    'zh-TW': '您已經在名單上了。若要更改或取消，請重新開啟，例如再點一次邀請訊息中的按鈕。',
    en:
      'You are already on the list. To change your answers or cancel, please open it again, for example with the ' +
      'button in the invitation.',
  },
  unsupported: {
    'zh-TW': '這裡只看得懂文字，無法辨識圖片、貼圖、位置或語音。',
    en: 'Sorry, only text is understood here, not pictures, stickers, locations or voice messages.',
  },
  left: { 'zh-TW': '好的，已結束這段對話。', en: 'OK, this conversation has ended.' },
  left_registered: {
    'zh-TW': '好的，已結束這段對話，但您仍在名單上。若要取消，請重新開啟，例如再點一次邀請訊息中的按鈕。',
    en:
      'OK, this conversation has ended, but you are still on the list. To cancel, ' +
      'please open it again, for example with the button in the invitation.',
  },
  left_waiting: {
    'zh-TW': '好的，已結束這段對話，也為您取消了候補。',
    en: 'OK, this conversation has ended, and you are no longer on the waiting list.',
  },
  not_active: notAvailable,
}

/** Texts that end a conversation when they stand alone, folded. */
export const exitKeywords: readonly string[] = ['取消', '退出', 'cancel', 'stop']
