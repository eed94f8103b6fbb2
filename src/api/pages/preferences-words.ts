import type { Locale } from '../../contract/enums.ts'

type Words = {
  title: string
  text: string
  language: string
  categories: string
  chat: string
  email: string
  fixed: string
  topics: string
  save: string
  saved: string
}

/** Texts of the preferences page. */
export const preferenceWords: Record<Locale, Words> = {
  'zh-TW': {
    title: '通知設定',
    text: '請選擇您要接收的通知、接收方式與使用語言。',
    language: '語言',
    categories: '通知類別',
    chat: '聊天訊息',
    email: '電子郵件',
    fixed: '必要通知，一律寄送',
    topics: '主題',
    save: '儲存設定',
    saved: '已儲存您的設定。',
  },
  en: {
    title: 'Notification settings',
    text: 'Choose which notifications you receive, where, and in which language.',
    language: 'Language',
    categories: 'Categories',
    chat: 'Chat',
    email: 'E-mail',
    fixed: 'Always sent',
    topics: 'Topics',
    save: 'Save settings',
    saved: 'Your settings have been saved.',
  },
}
