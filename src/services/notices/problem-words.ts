import type { Locale, Problem } from '../../contract/enums.ts'

/** Why a message cannot continue at the moment, as its people read it in mails and on pages. */
export const problemWords: Record<Locale, Record<Problem, string>> = {
  'zh-TW': {
    provider: '服務商目前沒有回應，或不接受本系統的請求。',
    provider_quota: '服務商的用量或寄送上限已滿。',
    quota: '單位的配額不足。',
    unknown_recipients: '郵件伺服器拒收許多收件人的信，可能是郵件伺服器本身的問題。這些地址沒有被停用。',
    internal: '系統發生內部錯誤。',
  },
  en: {
    provider: 'the provider does not respond, or rejects this system.',
    provider_quota: 'a quota or sending limit at the provider is exhausted.',
    quota: 'the quota of the unit does not cover it.',
    unknown_recipients:
      'the mail server rejects many recipients, which may be a fault of the server. None of these addresses ' +
      'has been suppressed.',
    internal: 'an internal error.',
  },
}
