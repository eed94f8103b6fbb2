import { channelFacts } from '../../channels/facts/by-channel.ts'
import type { Channel, Locale } from '../../contract/enums.ts'
import type { PageState } from '../../services/links/read-page.ts'

const chinese = {
  /** Begins a conversation whose first question cannot stand on the page. */
  start: '開始',
  aboutStart: '按下「開始」後，接下來的問題會顯示在下一頁。',
  aboutFirst: '選擇後就會送出，並接著顯示下一題。',
  text: '您的回答',
  send: '送出',
  sticker: '（貼圖）',
  picture: '圖片',
  /** Where a conversation stands. */
  states: {
    moving: { title: '請稍候', text: '已收到您的回覆，正在準備下一步。這個頁面會自動更新。' },
    kept: { title: '已收到您的回覆', text: '您的回覆已經存好，不需要再送一次。下一步準備好之後就會傳給您。' },
    asks: null,
    late: { title: '回覆已截止', text: '這個問題已不再接受回覆。' },
    waits: null,
    ended: null,
    passed: {
      title: '這一頁已經回答過了',
      text: '對話會在您作答的那個頁面，或您的聊天、信箱裡繼續。這裡不再顯示內容。',
    },
    expired: {
      title: '這個頁面已逾時',
      text: '作答頁面的有效期限為一天。若要繼續，請再點一次郵件中的按鈕。',
    },
  } satisfies Record<PageState, { title: string; text: string } | null>,
  again: '重新整理',
  sent: (channel: string) => `與您個人有關的內容，已透過${channel}傳給您。`,
  willBeSent: (channel: string) => `接下來的內容會透過${channel}傳給您。`,
  lost: '有一部分內容沒有辦法傳給您，請與承辦單位聯絡。',
  thanks: { title: '謝謝您', text: '我們已收到您的回覆。' },
  over: '填寫到這裡就完成了，可以關閉這個頁面。',
  waiting: '有新的消息時會通知您，現在可以關閉這個頁面。',
  by: (channel: Channel) => channelFacts[channel].names['zh-TW'].inText,
}

/** Texts of the pages on which a conversation goes on. */
export const conversationWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    start: 'Start',
    aboutStart: 'Once you press “Start”, the questions follow on the next page.',
    aboutFirst: 'Your choice is sent at once, and the next question follows.',
    text: 'Your answer',
    send: 'Send',
    sticker: '(sticker)',
    picture: 'picture',
    states: {
      moving: {
        title: 'One moment',
        text: 'We have received your answer, and the next step is on its way. This page updates by itself.',
      },
      kept: {
        title: 'We have received your answer',
        text: 'Your answer is stored, so you need not send it again. You will get the next step once it is ready.',
      },
      asks: null,
      late: { title: 'Answers are closed', text: 'This question no longer accepts answers.' },
      waits: null,
      ended: null,
      passed: {
        title: 'This page has been answered',
        text: 'It goes on on the page where you answered, or in your chat or mailbox. Nothing more is shown here.',
      },
      expired: {
        title: 'This page has expired',
        text: 'Pages for answers work for a day. To go on, use the button in your mail again.',
      },
    },
    again: 'Reload',
    sent: (channel) => `The part with your own details has been sent to you by ${channel}.`,
    willBeSent: (channel) => `What follows will be sent to you by ${channel}.`,
    lost: 'Part of this could not be sent to you. Please ask the office that sent the mail.',
    thanks: { title: 'Thank you', text: 'We have received your answer.' },
    over: 'That is all. You can close this page.',
    waiting: 'We will let you know when there is news. You can close this page.',
    by: (channel) => channelFacts[channel].names.en.inText,
  },
}
