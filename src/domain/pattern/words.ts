import type { Locale } from '../../contract/enums.ts'
import { locales } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { PatternQuestion } from '../../contract/patterns/pattern.ts'

/** A text in every language. */
export type Both = Record<Locale, string>

/** Paragraphs in both languages. */
export function both(paragraphs: (locale: Locale) => string[]): LocalisedText & Both {
  const texts = locales.map((locale) => [locale, paragraphs(locale).join('\n\n')])
  return Object.fromEntries(texts) as Both
}

/** The texts for people who may take part. */
type PlaceWords = Record<
  | 'registered'
  | 'change'
  | 'withdraw'
  | 'waiting'
  | 'withdrawn'
  | 'declined'
  | 'rejoin'
  | 'full'
  | 'kept'
  | 'closed',
  Both
> & { attendance: PatternQuestion }

const shared = {
  change: { 'zh-TW': '更改回覆', en: 'Change my answers' },
  waiting: {
    'zh-TW': '「⟨title⟩」目前額滿，已將您排入候補。一有名額就會通知您。',
    en: '“⟨title⟩” is full at the moment, and you are on the waiting list. We will tell you as soon as you have a place.',
  },
}

const registration: PlaceWords = {
  ...shared,
  full: {
    'zh-TW': '「⟨title⟩」的名額已滿，這次沒辦法為您報名。',
    en: '“⟨title⟩” is full, so we couldn’t register you this time.',
  },
  closed: { 'zh-TW': '「⟨title⟩」的報名已經截止。', en: 'Registration for “⟨title⟩” has closed.' },
  attendance: {
    id: 'join',
    text: { 'zh-TW': '您要報名嗎？', en: 'Would you like to register?' },
    options: [
      { id: 'yes', label: { 'zh-TW': '我要報名', en: 'Register' } },
      { id: 'no', label: { 'zh-TW': '這次先不要', en: 'Not this time' } },
    ],
  },
  registered: {
    'zh-TW': '您已完成「⟨title⟩」的報名。截止前都可以在這裡更改回覆或取消報名。',
    en: 'You are registered for “⟨title⟩”. Until it closes, you can change your answers or cancel your registration here.',
  },
  withdraw: { 'zh-TW': '取消報名', en: 'Cancel registration' },
  withdrawn: {
    'zh-TW': '已為您取消「⟨title⟩」的報名。截止前若改變主意，可以重新報名。',
    en: 'Your registration for “⟨title⟩” is cancelled. You can register again until it closes.',
  },
  declined: {
    'zh-TW': '好的，這次沒有為您報名「⟨title⟩」。截止前若改變主意，還可以報名。',
    en: 'All right, you are not registered for “⟨title⟩”. You can still register until it closes.',
  },
  rejoin: { 'zh-TW': '我想報名', en: 'Register after all' },
  kept: {
    'zh-TW': '「⟨title⟩」已經截止，不能再更改或取消。您的報名有效。',
    en: 'Registration for “⟨title⟩” has closed, so yours can no longer be changed or cancelled. You are registered.',
  },
}

const rsvp: PlaceWords = {
  ...shared,
  full: {
    'zh-TW': '「⟨title⟩」的名額已滿，這次沒辦法為您保留名額。',
    en: '“⟨title⟩” is full, so we couldn’t save you a place this time.',
  },
  closed: { 'zh-TW': '「⟨title⟩」的回覆已經截止。', en: 'Replies for “⟨title⟩” have closed.' },
  attendance: {
    id: 'attend',
    text: { 'zh-TW': '您會出席嗎？', en: 'Will you come?' },
    options: [
      { id: 'yes', label: { 'zh-TW': '我會出席', en: 'Yes, I will' } },
      { id: 'no', label: { 'zh-TW': '無法出席', en: 'No, I cannot' } },
    ],
  },
  registered: {
    'zh-TW': '已收到，您會出席「⟨title⟩」，期待見面！截止前都可以在這裡更改。',
    en: 'We look forward to seeing you at “⟨title⟩”. You can change your answer here until it closes.',
  },
  withdraw: { 'zh-TW': '改為無法出席', en: 'I cannot come' },
  withdrawn: {
    'zh-TW': '已改為無法出席「⟨title⟩」。截止前若改變主意，可以重新回覆。',
    en: 'We have noted that you cannot come to “⟨title⟩”. You can answer again until it closes.',
  },
  declined: {
    'zh-TW': '已收到，您無法出席「⟨title⟩」。截止前若改變主意，可以重新回覆。',
    en: 'We have noted that you cannot come to “⟨title⟩”. You can change your answer until it closes.',
  },
  rejoin: { 'zh-TW': '改變主意', en: 'Change my answer' },
  kept: {
    'zh-TW': '「⟨title⟩」的回覆已經截止，不能再更改。您的回覆是會出席，期待見面！',
    en: 'Replies for “⟨title⟩” have closed, so yours can no longer be changed. You are attending: see you there!',
  },
}

/** What generated scenarios say; ⟨title⟩ stands for the title of the pattern. Liquid, as every text of a scenario. */
export const patternWords = {
  until: {
    'zh-TW': '截止時間：{{ pattern.deadline | date: "%Y/%m/%d %H:%M" }}',
    en: 'Open until {{ pattern.deadline | date: "%-d %B %Y, %H:%M" }}',
  },
  left: { 'zh-TW': '剩餘名額：{{ pattern.left }}', en: 'Places left: {{ pattern.left }}' },
  /** The same where people may wait: with no place left, the question still stands. */
  leftOrWait: {
    'zh-TW': '剩餘名額：{{ pattern.left }}（額滿可候補）',
    en: 'Places left: {{ pattern.left }} (waiting list if full)',
  },
  /** To people registered who were asked nothing that they could change. */
  registeredOnly: {
    'zh-TW': '您已完成「⟨title⟩」的報名。截止前都可以在這裡取消報名。',
    en: 'You are registered for “⟨title⟩”. Until it closes, you can cancel your registration here.',
  },
  /**
   * To people whom a question that has to be typed cannot reach: mostly by mail, but also where the chat failed for
   * long.
   */
  chatOnly: {
    'zh-TW':
      '「⟨title⟩」還有問題等您回答：下一題要輸入文字，只能在聊天室作答，這次沒能傳給您。請到聊天室重新開啟並作答。',
    en:
      '“⟨title⟩” has another question, which needs a typed answer. That is only possible in the chat, ' +
      'where we could not reach you. Please open it again in the chat and answer there.',
  },
  /** To people who chose another answer than yes of an rsvp's own question. */
  notListed: {
    'zh-TW': '已收到您的回覆，「⟨title⟩」的名單上目前沒有您。截止前若改變主意，可以重新回覆。',
    en: 'We have your answer, and you are not on the list for “⟨title⟩”. You can change your answer until it closes.',
  },
  /** Above the answers of a registration, before it is said that it is complete. */
  recap: { 'zh-TW': '「⟨title⟩」', en: '“⟨title⟩”' },
  bullet: { 'zh-TW': '・', en: '• ' },
  skip: { 'zh-TW': '略過', en: 'Skip' },
  stopWaiting: { 'zh-TW': '取消候補', en: 'Stop waiting' },
  registration,
  rsvp,
  survey: {
    closed: {
      'zh-TW': '「⟨title⟩」已經截止，不再接受填寫。',
      en: '“⟨title⟩” has closed and no longer accepts answers.',
    },
    thanks: {
      'zh-TW': '謝謝您填寫「⟨title⟩」！您的回覆已經收到，截止前都可以重新填寫。',
      en: 'Thank you for answering “⟨title⟩”! We have your answers; you can answer again until it closes.',
    },
    changeAnswers: { 'zh-TW': '重新填寫', en: 'Answer again' },
  },
}
