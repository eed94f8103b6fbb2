import { channelFacts } from '../../channels/facts/by-channel.ts'
import type { Channel, Locale } from '../../contract/enums.ts'

const changeAnswer = {
  'zh-TW': '想改變回覆，請回到郵件點選其他選項。',
  en: 'To change it, choose another option in the mail.',
} satisfies Record<Locale, string>

const chinese = {
  /** BCP 47, for screen readers and the choice of glyphs. */
  lang: 'zh-Hant-TW',
  mail: {
    on: {
      title: '要取消訂閱嗎？',
      text: (category: string) =>
        `取消後，我們不會再以電子郵件寄送「${category}」給您。其他類別和其他管道的通知不受影響。`,
      button: '取消訂閱',
    },
    off: {
      title: '已取消訂閱',
      text: (category: string) => `我們不會再以電子郵件寄送「${category}」給您。`,
      button: '重新訂閱',
    },
    back: {
      title: '已重新訂閱',
      text: (category: string) => `我們會繼續以電子郵件寄送「${category}」給您。`,
      button: '取消訂閱',
    },
    fixed: {
      title: '這類通知無法取消',
      text: (category: string) => `「${category}」屬於必要通知，會寄給所有相關人員，因此無法取消。`,
    },
  },
  /** A button that turns a category off on `channels`. */
  mute: {
    on: {
      title: '要關閉這類通知嗎？',
      text: (category: string, by: string) => `關閉後，您不會再透過${by}收到「${category}」。`,
      button: '關閉通知',
    },
    off: {
      title: '已關閉通知',
      text: (category: string, by: string) => `您不會再透過${by}收到「${category}」。`,
      button: '復原',
    },
    back: {
      title: '已重新開啟通知',
      text: (category: string, by: string) => `您會繼續透過${by}收到「${category}」。`,
      button: '關閉通知',
    },
    by: (channels: readonly Channel[]) =>
      channels.map((channel) => channelFacts[channel].names['zh-TW'].inText).join('和'),
    settings: '查看所有通知設定',
  },
  /** Where the other settings are, on pages that do not lead there. */
  others: '想調整其他通知，請點選郵件最下方的「通知設定」。',
  remind: {
    open: {
      title: '不需要提醒嗎？',
      text: (moment: string) => `我們會在 ${moment}再提醒您一次這則訊息。`,
      button: '不用再提醒我',
    },
    done: { title: '好的，不會再提醒您', text: '您不會再收到這則訊息的提醒。' },
    past: { title: '不會再有提醒', text: '這則訊息的提醒已經寄出，或已經取消。' },
  },
  /** `before`: an earlier answer to the same question. */
  option: {
    open: { title: '要送出這個回覆嗎？', text: '按下「送出」後，我們才會收到您的回覆。', button: '送出' },
    change: (before: string) => ({
      title: '要更改回覆嗎？',
      text: `您先前的回覆是「${before}」。送出後，以這次的回覆為準。`,
      button: '更改回覆',
    }),
    done: { title: '謝謝您', text: '我們已收到您的回覆。', change: changeAnswer['zh-TW'] },
    changed: (before: string) => ({
      title: '已更改回覆',
      text: `您先前的回覆是「${before}」，現在以這次的為準。`,
      change: changeAnswer['zh-TW'],
    }),
    over: { title: '回覆已截止', text: '這則訊息已不再接受回覆。', yours: '您先前的回覆：' },
    /** It is over, and the person has a place in its pattern. */
    registered: {
      title: '您已經在名單上了',
      text: '若要更改或取消，請到最新的那封郵件點選。',
    },
    /** The same where nothing is open in which the person could change it. */
    registeredBefore: {
      title: '您已經在名單上了',
      text: '若要更改或取消，請再點一次邀請郵件中的按鈕。',
    },
    /** The first answer counts, and it was another. */
    answered: {
      title: '您先前已經回覆過了',
      text: '這個問題以第一次的回覆為準，不能再更改。',
      yours: '您先前的回覆：',
    },
    /** The scenario that it starts accepts no runs. */
    notActive: { title: '目前沒有開放', text: '這項服務目前沒有開放。' },
  },
  ended: {
    title: '連結已過期',
    text: '通知設定的連結有效期限為一年，請改用較新郵件裡的連結。取消訂閱的連結則一直有效。',
  },
  copy: {
    title: '請在郵件中點選',
    text: '這裡只供閱讀。要回覆或變更設定，請使用郵件中的按鈕與連結。',
  },
  copyGone: {
    title: '這封信已無法在瀏覽器中檢視',
    text: '郵件寄出後，網頁版最多保留一年。郵件本身不受影響。',
  },
  sample: { title: '這是測試訊息', text: '正式寄出的郵件裡，這個連結才會有作用。' },
  unknown: {
    title: '連結無法使用',
    text: '連結可能不完整，或內容已經不存在。請回到原本的訊息，再點一次連結。',
  },
  /** A tracked link of a message that is yet to be sent, or whose text is no longer kept. */
  unsent: { title: '這個連結還不能使用', text: '訊息送出之後，連結才會開啟網頁。' },
  gone: {
    title: '連結已過期',
    text: '這則訊息已經超過保存期限，連結不再有效。請向寄送單位查詢。',
  },
  /** It did not open, or nothing was changed: why, by code. */
  failed: {
    open: '目前無法開啟',
    change: '沒有儲存任何變更',
    payload_too_large: '送出的內容太多。請重新開啟這個頁面，再送出一次。',
    rate_limited: '操作太頻繁，請過一分鐘再試。',
    not_found: '有些項目已經不存在。請重新開啟這個頁面，再選擇一次。',
    other: '系統暫時無法處理，請稍後再試。',
  },
}

/** Texts of the pages behind links in mails. */
export const pageWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    lang: 'en',
    mail: {
      on: {
        title: 'Unsubscribe?',
        text: (category) =>
          `We will stop sending you “${category}” by e-mail. Other categories and channels are not affected.`,
        button: 'Unsubscribe',
      },
      off: {
        title: 'You are unsubscribed',
        text: (category) => `We no longer send you “${category}” by e-mail.`,
        button: 'Subscribe again',
      },
      back: {
        title: 'You are subscribed again',
        text: (category) => `We send you “${category}” by e-mail, as before.`,
        button: 'Unsubscribe',
      },
      fixed: {
        title: 'You cannot turn these off',
        text: (category) => `“${category}” is mandatory: it goes to everyone it concerns.`,
      },
    },
    mute: {
      on: {
        title: 'Turn off these notifications?',
        text: (category, by) => `You will no longer receive “${category}” by ${by}.`,
        button: 'Turn off',
      },
      off: {
        title: 'Notifications turned off',
        text: (category, by) => `You no longer receive “${category}” by ${by}.`,
        button: 'Undo',
      },
      back: {
        title: 'Notifications turned on again',
        text: (category, by) => `You receive “${category}” by ${by}, as before.`,
        button: 'Turn off',
      },
      by: (channels) => channels.map((channel) => channelFacts[channel].names.en.inText).join(' and '),
      settings: 'All notification settings',
    },
    others: 'To change other notifications, use “Notification settings” at the bottom of the mail.',
    remind: {
      open: {
        title: 'Skip the reminder?',
        text: (moment) => `We will remind you of this message on ${moment}.`,
        button: 'Do not remind me',
      },
      done: { title: 'We will not remind you', text: 'You will not receive a reminder of this message.' },
      past: {
        title: 'No reminder is planned',
        text: 'The reminder of this message has been sent or cancelled.',
      },
    },
    option: {
      open: { title: 'Send this answer?', text: 'We receive it once you press “Send”.', button: 'Send' },
      change: (before) => ({
        title: 'Change your answer?',
        text: `You answered “${before}” before. If you send this answer, it replaces that one.`,
        button: 'Change my answer',
      }),
      done: { title: 'Thank you', text: 'We have received your answer.', change: changeAnswer.en },
      changed: (before) => ({
        title: 'Answer changed',
        text: `You answered “${before}” before. This answer replaces it.`,
        change: changeAnswer.en,
      }),
      over: {
        title: 'Answers are closed',
        text: 'This message no longer accepts answers.',
        yours: 'Your answer was:',
      },
      registered: {
        title: 'You are already on the list',
        text: 'To change your answers or cancel, use the newest mail.',
      },
      registeredBefore: {
        title: 'You are already on the list',
        text: 'To change your answers or cancel, use the button in the invitation again.',
      },
      answered: {
        title: 'You have already answered',
        text: 'The first answer to this question counts, and cannot be changed.',
        yours: 'Your answer was:',
      },
      notActive: { title: 'Not available', text: 'This is not available at the moment.' },
    },
    ended: {
      title: 'This link has expired',
      text: 'Links to the settings work for a year. Use the link in a newer mail. Links to unsubscribe always work.',
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
      text: 'The link works in the mail that is sent to recipients.',
    },
    unknown: {
      title: 'This link does not work',
      text: 'It may be incomplete, or its content no longer exists. Go back to the message and open the link again.',
    },
    unsent: {
      title: 'This link does not work yet',
      text: 'It opens its page once the message has been sent.',
    },
    gone: {
      title: 'This link has expired',
      text: 'The message has been deleted, and its links no longer work. Please ask the office that sent it.',
    },
    failed: {
      open: 'This link cannot be opened now',
      change: 'Nothing was changed',
      payload_too_large: 'The form was too long. Open this page again and send it once more.',
      rate_limited: 'Too many requests. Wait a minute and try again.',
      not_found: 'Some of these no longer exist. Open this page again and choose once more.',
      other: 'This is temporarily unavailable. Try again later.',
    },
  },
}
