import type { Locale } from '../../contract/enums.ts'

type Words = {
  /** BCP 47, for screen readers and the choice of glyphs. */
  lang: string
  mail: {
    on: { title: string; text: (category: string) => string; button: string }
    off: { title: string; text: (category: string) => string; button: string }
    fixed: { title: string; text: (category: string) => string }
    /** Where the other settings are. */
    others: string
  }
  remind: { open: { title: string; text: string; button: string }; done: { title: string; text: string } }
  option: {
    open: { title: string; text: string; button: string }
    done: { title: string; text: string }
    over: { title: string; text: string }
  }
  ended: { title: string; text: string }
  sample: { title: string; text: string }
  copy: { title: string; text: string }
  copyGone: { title: string; text: string }
  unknown: { title: string; text: string }
  /** Nothing was changed: why, by code. */
  failed: { title: string; payload_too_large: string; rate_limited: string; not_found: string; other: string }
}

/** Texts of the pages behind links in mails. */
export const pageWords: Record<Locale, Words> = {
  'zh-TW': {
    lang: 'zh-Hant-TW',
    mail: {
      on: {
        title: '電子郵件通知',
        text: (category) => `您目前會收到「${category}」的電子郵件。`,
        button: '不再接收這類郵件',
      },
      off: {
        title: '已取消訂閱',
        text: (category) => `我們不會再寄「${category}」的電子郵件給您。`,
        button: '重新接收這類郵件',
      },
      fixed: {
        title: '這類通知無法取消訂閱',
        text: (category) => `「${category}」屬於必要通知，所有相關人員都會收到，因此無法取消訂閱。`,
      },
      others: '其他設定請使用郵件末尾的「通知設定」連結。',
    },
    remind: {
      open: {
        title: '要取消提醒嗎？',
        text: '我們預計會再提醒您一次。',
        button: '不用再提醒我',
      },
      done: { title: '好的，我們不會再提醒您', text: '您不會再收到這則訊息的提醒。' },
    },
    option: {
      open: { title: '要送出回覆嗎？', text: '按下按鈕後，您的回覆就會送出。', button: '送出' },
      done: { title: '謝謝您', text: '我們已收到您的回覆。' },
      over: { title: '回覆已截止', text: '這則訊息已不再接受回覆。' },
    },
    ended: {
      title: '這個連結已過期',
      text: '郵件中的設定連結有效期限為一年，請改用較新郵件中的連結。取消訂閱的連結仍然有效。',
    },
    copy: {
      title: '請在郵件中點選',
      text: '這裡只供閱讀。要回覆或變更設定，請使用郵件中的按鈕與連結。',
    },
    copyGone: {
      title: '這封信已無法在瀏覽器中檢視',
      text: '郵件寄出後，網頁版最多保留一年。郵件本身不受影響。',
    },
    sample: { title: '這是測試訊息', text: '正式寄出後，這個連結才會生效。' },
    unknown: { title: '這個連結無法使用', text: '連結可能不完整，或內容已不存在。請回到郵件再點一次連結。' },
    failed: {
      title: '設定沒有儲存',
      payload_too_large: '送出的內容太多。請重新開啟這個頁面，再送出一次。',
      rate_limited: '操作太頻繁，請稍候一分鐘再試。',
      not_found: '有些項目已不存在。請重新開啟這個頁面，再選擇一次。',
      other: '系統暫時無法處理，請稍後再試。',
    },
  },
  en: {
    lang: 'en',
    mail: {
      on: {
        title: 'E-mail notifications',
        text: (category) => `You receive “${category}” by e-mail.`,
        button: 'Stop sending me these',
      },
      off: {
        title: 'You are unsubscribed',
        text: (category) => `We no longer send you “${category}” by e-mail.`,
        button: 'Send me these again',
      },
      fixed: {
        title: 'You cannot unsubscribe from these',
        text: (category) => `“${category}” is mandatory: everyone it concerns receives it.`,
      },
      others: 'For all other settings, use the link “Notification settings” at the end of the mail.',
    },
    remind: {
      open: {
        title: 'Skip the reminder?',
        text: 'We plan to remind you once more.',
        button: 'Do not remind me',
      },
      done: { title: 'We will not remind you', text: 'You will not receive a reminder of this message.' },
    },
    option: {
      open: { title: 'Send your answer?', text: 'Press the button to send it.', button: 'Send' },
      done: { title: 'Thank you', text: 'We have your answer.' },
      over: { title: 'Closed', text: 'This message no longer accepts answers.' },
    },
    ended: {
      title: 'This link has expired',
      text: 'Links to settings work for a year. Use the link in a newer mail. Links to unsubscribe still work.',
    },
    copy: {
      title: 'Use the link in your mail',
      text: 'This copy is for reading only. To answer or to change your settings, use the buttons and links in the mail itself.',
    },
    copyGone: {
      title: 'This mail can no longer be viewed here',
      text: 'Mails can be viewed in the browser for at most a year. The mail itself is not affected.',
    },
    sample: {
      title: 'This is a test message',
      text: 'The link works once the message is sent to its recipients.',
    },
    unknown: {
      title: 'This link does not work',
      text: 'It may be incomplete, or its content no longer exists. Open the link in the mail again.',
    },
    failed: {
      title: 'Nothing was changed',
      payload_too_large: 'The form was too long. Open this page again and send it once more.',
      rate_limited: 'Too many requests. Wait a minute and try again.',
      not_found: 'Some of these no longer exist. Open this page again and choose once more.',
      other: 'This does not work at the moment. Try again later.',
    },
  },
}
