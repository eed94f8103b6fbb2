import type { Locale } from '../../contract/enums.ts'

const chinese = {
  title: '通知設定',
  text: '您可以選擇要接收哪些通知、接收方式，以及使用的語言。',
  language: '語言',
  categories: '通知類別',
  fixed: '必要通知，無法關閉',
  needsConsent: '須經您同意才會發送。如要接收，請向發送單位表示同意，無法在此勾選。',
  topics: '訂閱主題',
  save: '儲存',
  /** `turnedOff`: categories that the person gets no more; `lost`: those that need the same consent. */
  consent: {
    offer: (turnedOff: string) => `您已關閉${turnedOff}，但您先前的同意仍然有效。要一併撤回同意嗎？`,
    effect: (lost: string) => `撤回後，您不會再收到${lost}。日後如要再接收，須重新向發送單位表示同意。`,
    withdraw: '撤回同意',
  },
  /** Between the names of categories. */
  list: (names: string[]) => names.map((name) => `「${name}」`).join('、'),
  done: { saved: '設定已儲存。', withdrawn: '已撤回您的同意。' },
}

/** Texts of the preferences page. */
export const preferenceWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    title: 'Notification settings',
    text: 'Choose which notifications you receive, how, and in which language.',
    language: 'Language',
    categories: 'Categories',
    fixed: 'Always sent',
    needsConsent:
      'Sent only with your consent. Give it to the office that sends these; it cannot be given on this ' +
      'page.',
    topics: 'Topics',
    save: 'Save',
    consent: {
      offer: (turnedOff) =>
        `You have turned off ${turnedOff}, but your consent is still on record. Withdraw it as well?`,
      effect: (lost) =>
        `You will then no longer receive ${lost}. To receive them again, you would have to give your consent to the ` +
        'office that sends them.',
      withdraw: 'Withdraw my consent',
    },
    list: (names) => names.map((name) => `“${name}”`).join(', '),
    done: { saved: 'Your settings have been saved.', withdrawn: 'Your consent has been withdrawn.' },
  },
}
