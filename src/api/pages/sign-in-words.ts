import type { Locale, Role } from '../../contract/enums.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { UnknownPerson } from '../../services/identity/sign-in.ts'

type Said = { title: string; text: string }
type Words = {
  lang: string
  signIn: string
  signOut: string
  again: string
  docs: string
  welcome: Said
  signedIn: (name: string) => string
  noUnit: string
  roles: Record<Role | 'systemAdmin', string>
  /** By the error's code, for strangers by the reason; `other` for the rest. */
  failed: Partial<Record<ErrorCode, Said>> & Record<UnknownPerson | 'other', Said>
}

/** What the start page says, and the page of a sign-in that came to nothing. */
export const signInWords: Record<Locale, Words> = {
  'zh-TW': {
    lang: 'zh-Hant-TW',
    signIn: '登入',
    signOut: '登出',
    again: '重新登入',
    docs: '介面說明文件',
    welcome: { title: '通知中心', text: '撰寫、核准與寄送通知的同仁請由此登入。' },
    signedIn: (name) => `${name}，您已登入`,
    noUnit: '您目前不屬於任何單位，請洽系統管理員。',
    roles: { editor: '編輯', approver: '核准', systemAdmin: '系統管理員' },
    failed: {
      unknown: {
        title: '您的帳號尚未開通',
        text: '登入成功，但這裡沒有使用此電子郵件的人員。請系統管理員將您加入單位後再試一次。',
      },
      unverified: {
        title: '電子郵件尚未驗證',
        text: '登入服務沒有您已驗證的電子郵件，因此無法確認您的身分。請先在登入服務完成驗證。',
      },
      other_account: {
        title: '此電子郵件已綁定其他帳號',
        text: '這個電子郵件先前曾以另一個帳號登入。若現在由您使用，請洽系統管理員解除綁定。',
      },
      invalid_credential: {
        title: '登入未完成',
        text: '這次登入已逾時、已使用過，或無法確認您的身分。請重新登入。',
      },
      not_configured: {
        title: '尚未設定登入',
        text: '此系統尚未設定登入服務，請系統管理員設定 OIDC_ISSUER 等參數。',
      },
      provider: { title: '登入服務拒絕了請求', text: '登入服務的設定可能有誤，請洽系統管理員。' },
      retryable: { title: '登入服務暫時沒有回應', text: '請稍候片刻再試一次。' },
      unavailable: { title: '系統暫時無法使用', text: '請稍候片刻再試一次。' },
      rate_limited: { title: '嘗試次數過多', text: '請等待一分鐘後再試一次。' },
      other: { title: '無法登入', text: '這個登入連結有誤，請重新登入。' },
    },
  },
  en: {
    lang: 'en',
    signIn: 'Sign in',
    signOut: 'Sign out',
    again: 'Sign in again',
    docs: 'Description of the interface',
    welcome: {
      title: 'The notification hub',
      text: 'Here, those who write and approve notices sign in.',
    },
    signedIn: (name) => `You are signed in, ${name}`,
    noUnit: 'You work in no unit yet. Ask a system administrator to add you.',
    roles: { editor: 'editor', approver: 'approver', systemAdmin: 'system administrator' },
    failed: {
      unknown: {
        title: 'Nobody knows you here yet',
        text: 'You did sign in, but nobody here has your e-mail address. Ask a system administrator to add you.',
      },
      unverified: {
        title: 'Your e-mail address is not verified',
        text: 'The identity provider has not verified an address of yours, so we cannot tell who you are. Verify it there.',
      },
      other_account: {
        title: 'This address belongs to another account',
        text: 'Somebody signed in with it before, by another account. If it is yours now, ask a system administrator.',
      },
      invalid_credential: {
        title: 'You are not signed in',
        text: 'It took too long, was used already, or it is not certain who you are. Sign in once more.',
      },
      not_configured: {
        title: 'No sign-in is set up',
        text: 'This installation has no identity provider. An operator sets it up with OIDC_ISSUER.',
      },
      provider: {
        title: 'The identity provider refuses us',
        text: 'Its settings may be wrong. Tell a system administrator.',
      },
      retryable: {
        title: 'The identity provider does not answer',
        text: 'It should be back soon. Try again in a moment.',
      },
      unavailable: { title: 'Carillon cannot answer now', text: 'Try again in a moment.' },
      rate_limited: { title: 'Too many attempts', text: 'Wait a minute, then try again.' },
      other: { title: 'This does not sign you in', text: 'The link is wrong. Sign in again.' },
    },
  },
}
