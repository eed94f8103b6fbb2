import type { ApprovalKind, Locale, PatternType } from '../../../contract/enums.ts'

type Notice = { title: string; text: string }

const kinds: Record<ApprovalKind, string> = {
  message: '訊息',
  template: '範本',
  event_binding: '事件綁定',
  scenario: '情境',
}

const confirm: Record<ApprovalKind, Notice & { button: (what: string) => string }> = {
  message: {
    title: '確定要核准嗎？',
    text: '核准後，訊息會依下列內容發送。',
    button: (what) => `確定${what}`,
  },
  template: {
    title: '確定要核准嗎？',
    text: '核准後，新的訊息會使用這個版本。',
    button: (what) => `確定${what}`,
  },
  event_binding: {
    title: '確定要核准嗎？',
    text: '核准後，這項設定立即生效。',
    button: (what) => `確定${what}`,
  },
  scenario: {
    title: '確定要核准嗎？',
    text: '核准後，新的對話都依這個版本進行。',
    button: (what) => `確定${what}`,
  },
}

const chinese = {
  list: {
    title: '待審核',
    text: '最早要發送或到期的在前，其餘依送審時間排列。',
    none: '目前沒有待審核的項目。',
    search: '標題或名稱',
    show: '顯示',
    nothingFound: '沒有符合的項目。',
    next: '下一頁',
    goOn: '下一件',
    follow: '看這則訊息後來的狀況',
  },
  kinds,
  /** Instead of a scenario that one of these generated. */
  patterns: { registration: '報名', survey: '問卷', rsvp: '出席調查' } satisfies Record<PatternType, string>,
  /** Below what recipients see. */
  asWritten: '範本的原文，與按鈕的作用',
  from: (name: string, since: string) => `${name} · ${since} 送審`,
  /** `when`: today, tomorrow or a date, with the time. */
  reach: (people: string, when: string) => `${people} · ${when} 發送`,
  reachAtOnce: (people: string) => `${people} · 核准後立即發送`,
  approve: {
    /** `when`: null: at once. */
    message: (people: string, when: string | null) =>
      `核准：${people}，${when === null ? '立即' : `${when} `}發送`,
    template: (version: string) => `核准第 ${version} 版`,
    event_binding: (version: string) => `核准第 ${version} 版`,
    scenario: (version: string) => `核准第 ${version} 版`,
  },
  confirm,
  back: '返回查看內容',
  reject: {
    open: '退回',
    label: '退回原因',
    hint: '撰寫者會看到這段文字，最多 1,000 字。',
    button: '確定退回',
    missing: '請填寫退回原因，最多 1,000 字。',
  },
  /** Why the reader may not approve. */
  refused: {
    forbidden: '只有這個單位的核准者可以審核。',
    quota_exceeded: '配額不足，目前無法核准。您可以退回，或請系統管理員提高配額。',
    own: '內容有您撰寫、編輯或送審的部分，須由其他核准者核准。您仍可退回。',
    ownOnly: '內容有您撰寫、編輯或送審的部分，須由其他核准者核准。',
    pair: '相同來源與類型的事件已有另一項綁定，請先停用該綁定。',
    trigger: '已有另一個情境使用相同的關鍵字或追蹤觸發，請先結束它，或改用其他關鍵字。',
    category: '這個情境的類別已停用，核准後也無法開始。請洽系統管理員，或退回。',
    other: '目前無法核准。',
  },
  /** Above the page, if a decision was refused because there is a newer version. */
  stale: {
    title: '內容已有變更',
    text: '您開啟頁面後內容有變更，因此決定沒有送出。請確認目前的內容後再決定。',
  },
}

export type ApprovalWords = typeof chinese

/** Texts of the pages on which people decide about what waits. */
export const approvalWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    list: {
      title: 'Waiting for approval',
      text: 'What is sent or expires first comes first, then what waits longest.',
      none: 'Nothing is waiting for approval.',
      search: 'Title or name',
      show: 'Show',
      nothingFound: 'Nothing matches.',
      next: 'Next page',
      goOn: 'Next',
      follow: 'See how this message goes on',
    },
    asWritten: 'The template as it is written, and what its buttons do',
    kinds: { message: 'Message', template: 'Template', event_binding: 'Event binding', scenario: 'Scenario' },
    patterns: { registration: 'Registration', survey: 'Survey', rsvp: 'RSVP' },
    from: (name, since) => `from ${name} · submitted ${since}`,
    reach: (people, when) => `${people} · sent ${when}`,
    reachAtOnce: (people) => `${people} · sent once approved`,
    approve: {
      message: (people, when) => `Approve: send to ${people} ${when === null ? 'now' : `on ${when}`}`,
      template: (version) => `Approve version ${version}`,
      event_binding: (version) => `Approve version ${version}`,
      scenario: (version) => `Approve version ${version}`,
    },
    confirm: {
      message: {
        title: 'Approve this message?',
        text: 'Once approved, it is sent as follows.',
        button: (what) => `Yes, ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
      },
      template: {
        title: 'Approve this template?',
        text: 'Once approved, new messages use this version.',
        button: (what) => `Yes, ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
      },
      event_binding: {
        title: 'Approve this binding?',
        text: 'Once approved, it takes effect immediately.',
        button: (what) => `Yes, ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
      },
      scenario: {
        title: 'Approve this scenario?',
        text: 'Once approved, new conversations follow this version.',
        button: (what) => `Yes. ${what}`,
      },
    },
    back: 'Back to the content',
    reject: {
      open: 'Reject',
      label: 'Reason',
      hint: 'For the author, at most 1,000 characters.',
      button: 'Reject with this reason',
      missing: 'Give a reason of at most 1,000 characters.',
    },
    refused: {
      forbidden: 'Only approvers of this unit can decide.',
      quota_exceeded:
        'The quota does not cover this message. You can reject it, or ask a system administrator to raise the quota.',
      own: 'You wrote, edited or submitted a part of this, so another approver has to approve it. You can still reject it.',
      ownOnly: 'You wrote, edited or submitted a part of this, so another approver has to approve it.',
      pair: 'Another binding of these events is enabled. Disable it first.',
      trigger:
        'Another scenario starts with the same follow or keyword. Retire it first, or choose other keywords.',
      category:
        'The category of this scenario is disabled, so it could not start. Ask a system administrator, ' +
        'or reject it.',
      other: 'This cannot be approved at the moment.',
    },
    stale: {
      title: 'The content has changed since you opened it',
      text: 'Your decision was not saved. Review the current content, then decide.',
    },
  },
}
