import type { Locale } from '../../contract/enums.ts'
import { buttonBubble, flexMessage } from './flex.ts'
import { doNotRemindTap, type Origin } from './taps.ts'
import type { ChatFlex } from './wire.ts'

const words: Record<Locale, { text: string; label: string }> = {
  'zh-TW': { text: '我們稍後會再提醒您一次。', label: '不用再提醒我' },
  en: { text: 'We will send you a reminder later.', label: 'Do not remind me' },
}

/** The bubble with which a recipient opts out of the reminder; it counts as one of the messages of a call. */
export function doNotRemindBubble(locale: Locale, origin: Origin): ChatFlex {
  const { text, label } = words[locale]
  const data = JSON.stringify(doNotRemindTap(origin))
  return flexMessage([text], buttonBubble(text, [{ type: 'postback', label, data, displayText: label }]))
}
