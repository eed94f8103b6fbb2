import type { LocalisedText } from '../../contract/localised-text.ts'

/** What the chat answers when what a person said comes to nothing; `label`: what they chose. */
export type AutoReply =
  | { kind: 'answered'; label: LocalisedText | null }
  | { kind: 'over' | 'closed' | 'registered' | 'registered_before' | 'pushes_spent' }
  | { kind: 'left' | 'left_registered' | 'left_waiting' }
  | { kind: 'unknown_option' | 'unsupported' | 'not_active' }

/** The words of an answer that came to nothing, in both languages: what stands, and nothing else. */
export function autoReply(words: AutoReply): LocalisedText {
  if (words.kind !== 'answered') return fixed[words.kind]
  const { label } = words
  if (label === null)
    return { 'zh-TW': '您先前已經回答過這個問題了。', en: 'You have already answered this question.' }
  return {
    'zh-TW': `您先前已回答：${label['zh-TW']}`,
    en: `You have already answered: ${label.en ?? label['zh-TW']}`,
  }
}

const fixed: Record<Exclude<AutoReply['kind'], 'answered'>, LocalisedText> = {
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
    'zh-TW': '您已經完成登記。若要更改或取消，請點選最新訊息中的按鈕。',
    en: 'You are registered. To change your answers or cancel, please use the buttons in the newest message.',
  },
  registered_before: {
    'zh-TW': '您已經完成登記。若要更改或取消，請重新開啟，例如再點一次邀請訊息中的按鈕。',
    en:
      'You are registered. To change your answers or cancel, please open it again, for example with the ' +
      'button in the invitation.',
  },
  unknown_option: {
    'zh-TW': '看不懂您的回答，請點選上面的選項，或直接輸入選項的文字。',
    en: 'That is not one of the answers. Please tap one of the options above, or type its label.',
  },
  unsupported: {
    'zh-TW': '這裡只看得懂文字，無法辨識圖片、貼圖、位置或語音。',
    en: 'Sorry, only text is understood here, not pictures, stickers, locations or voice messages.',
  },
  left: { 'zh-TW': '好的，已結束這段對話。', en: 'OK, this conversation has ended.' },
  left_registered: {
    'zh-TW':
      '好的，已結束這段對話，但您的登記仍然有效。若要取消登記，請重新開啟，例如再點一次邀請訊息中的按鈕。',
    en:
      'OK, this conversation has ended, but you are still registered. To cancel your registration, ' +
      'please open it again, for example with the button in the invitation.',
  },
  left_waiting: {
    'zh-TW': '好的，已結束這段對話，也為您取消了候補。',
    en: 'OK, this conversation has ended, and you are no longer on the waiting list.',
  },
  not_active: { 'zh-TW': '這項服務目前沒有開放。', en: 'This is not available at the moment.' },
}

/** Texts that end a conversation when they stand alone, folded. */
export const exitKeywords: readonly string[] = ['取消', '退出', 'cancel', 'stop']
