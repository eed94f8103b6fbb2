import type { Locale, MessageState } from '../../contract/enums.ts'

/** What people call the states of a message. */
export const stateWords: Record<Locale, Record<MessageState, string>> = {
  'zh-TW': {
    draft: '草稿',
    submitted: '待審核',
    rejected: '已退回',
    approved: '已排定',
    sending: '發送中',
    sent: '已發送',
    failed: '發送失敗',
    paused: '暫停',
    cancelled: '已取消',
    stopped: '已停止',
    expired: '已逾期',
  },
  en: {
    draft: 'Draft',
    submitted: 'To be approved',
    rejected: 'Rejected',
    approved: 'To be sent',
    sending: 'Being sent',
    sent: 'Sent',
    failed: 'Failed',
    paused: 'Paused',
    cancelled: 'Cancelled',
    stopped: 'Stopped',
    expired: 'Expired',
  },
}
