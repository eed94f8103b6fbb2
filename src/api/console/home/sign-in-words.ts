import type { Locale, Role } from '../../../contract/enums.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { UnknownPerson } from '../../../services/identity/sign-in.ts'

type Notice = { title: string; text: string }

/** By error code, or by reason for unknown persons; `other` for every other error. */
const failed: Partial<Record<ErrorCode, Notice>> & Record<UnknownPerson | 'other', Notice> = {
  unknown: {
    title: '您的帳號尚未開通',
    text: '身分驗證成功，但系統中查無此電子郵件。請洽系統管理員將您加入單位後，再重新登入。',
  },
  unverified: {
    title: '電子郵件尚未驗證',
    text: '登入服務尚未驗證您的電子郵件，因此無法確認您的身分。請先至登入服務完成驗證。',
  },
  other_account: {
    title: '此電子郵件已綁定其他帳號',
    text: '此電子郵件先前曾以另一個帳號登入。若此信箱現由您使用，請洽維運人員解除綁定。',
  },
  invalid_credential: {
    title: '登入未完成',
    text: '本次登入已逾時、連結已使用過，或無法確認您的身分。請重新登入。',
  },
  not_configured: {
    title: '尚未設定登入服務',
    text: '本系統尚未設定登入服務，請洽維運人員設定 OIDC_ISSUER 等參數。',
  },
  provider: { title: '登入服務拒絕了請求', text: '本系統的登入設定可能有誤，請洽維運人員。' },
  retryable: { title: '登入服務暫時沒有回應', text: '請稍後再試。' },
  unavailable: { title: '系統暫時無法使用', text: '請稍後再試。' },
  rate_limited: { title: '嘗試次數過多', text: '請於一分鐘後再試。' },
  internal: { title: '系統發生錯誤', text: '請重新登入；若仍無法登入，請洽維運人員。' },
  other: { title: '無法登入', text: '登入連結有誤，請重新登入。' },
}

const chinese = {
  lang: 'zh-Hant-TW',
  signIn: '登入',
  signOut: '登出',
  aboutSignOut: '登出時，這個瀏覽器裡已輸入但尚未儲存的內容會一併清除。',
  again: '重新登入',
  welcome: { title: '通知中心', text: '負責撰寫或審核通知的同仁，請由此登入。' },
  signedIn: (name: string) => `${name}，您好`,
  /** Above what waits for the reader's approval. */
  waiting: '待您審核',
  noneWaiting: '目前沒有待審核的項目。',
  allWaiting: (count: string) => `全部 ${count} 件`,
  /** How the messages of a unit stand. */
  standing: {
    mine: '我的訊息',
    all: '單位的訊息',
    writing: '撰寫中',
    waiting: '待審核',
    planned: '已排定',
    next: (when: string) => `最近一則：${when}`,
    sent: '昨天起已發送',
    reached: (people: string) => `${people} 人次收到`,
  },
  /** Above messages that failed, wait for something, or were rejected. */
  attention: '需要處理的訊息',
  attentionSpan: (days: string) => `發送失敗與退回的訊息在這裡顯示 ${days} 天，之後可在訊息清單中找到。`,
  talks: '等候真人回覆',
  unanswered: (count: string) => `${count} 段對話等候回覆`,
  you: '您的單位與設定',
  noUnit: '您目前不屬於任何單位，請洽系統管理員。',
  roles: {
    editor: '編輯者',
    approver: '核准者',
    systemAdmin: '系統管理員',
  } satisfies Record<Role | 'systemAdmin', string>,
  failed,
}

/** Texts of the start page and of the page of a rejected sign-in. */
export const signInWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    lang: 'en',
    signIn: 'Sign in',
    signOut: 'Sign out',
    aboutSignOut: 'Signing out removes from this browser what was typed and not saved.',
    again: 'Sign in again',
    welcome: {
      title: 'Notification hub',
      text: 'Sign in to approve notifications, or to follow those you wrote.',
    },
    signedIn: (name) => `Hello, ${name}`,
    waiting: 'Waiting for your approval',
    noneWaiting: 'Nothing is waiting for approval.',
    allWaiting: (count) => `All ${count}`,
    standing: {
      mine: 'My messages',
      all: 'Messages of the unit',
      writing: 'being written',
      waiting: 'to be approved',
      planned: 'to be sent',
      next: (when) => `next: ${when}`,
      sent: 'sent since yesterday',
      reached: (people) => `${people} times received`,
    },
    attention: 'Messages that need attention',
    attentionSpan: (days) =>
      `Failed and rejected messages are shown here for ${days} days. The list of messages keeps them.`,
    talks: 'People waiting for an answer',
    unanswered: (count) => `${count} conversations wait for an answer`,
    you: 'Your units and settings',
    noUnit: 'You are not a member of a unit yet. Ask a system administrator to add you.',
    roles: { editor: 'editor', approver: 'approver', systemAdmin: 'system administrator' },
    failed: {
      unknown: {
        title: 'Your account is not set up yet',
        text: 'Carillon has no person with your e-mail address. Ask a system administrator to add you, then sign in again.',
      },
      unverified: {
        title: 'Your e-mail address is not verified',
        text: 'The identity provider has not verified your address, so we cannot identify you. Verify it there first.',
      },
      other_account: {
        title: 'This address belongs to another account',
        text: 'Another account has signed in with it before. If it is yours now, ask the operator to unlink that account.',
      },
      invalid_credential: {
        title: 'You are not signed in',
        text: 'The sign-in has expired, was already completed, or could not be verified. Sign in again.',
      },
      not_configured: {
        title: 'Sign-in is not configured',
        text: 'This installation has no identity provider. Ask its operator to set OIDC_ISSUER and the other OIDC settings.',
      },
      provider: {
        title: 'The identity provider rejected the request',
        text: 'The sign-in settings of this installation may be wrong. Contact its operator.',
      },
      retryable: {
        title: 'The identity provider does not respond',
        text: 'Try again in a moment.',
      },
      unavailable: { title: 'Carillon is unavailable', text: 'Try again in a moment.' },
      rate_limited: { title: 'Too many attempts', text: 'Wait a minute, then try again.' },
      internal: {
        title: 'Internal error',
        text: 'Sign in again. If that fails too, contact the operator.',
      },
      other: { title: 'Sign-in failed', text: 'The link is invalid. Sign in again.' },
    },
  },
}
