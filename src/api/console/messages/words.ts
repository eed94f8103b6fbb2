import type { Locale } from '../../../contract/enums.ts'
import { stateWords } from '../../../domain/message/state-words.ts'
import type { Act } from './acts.ts'

/** Of an act: its button, and the page between the two presses. `people`: whom it is about. */
type ActWords = { button: string; title: string; text: (people: string) => string; confirm: string }

const done: Partial<Record<Act | 'organise', string>> = {
  test: '已傳給您自己。',
  copy: '這是新的草稿。',
  organise: '已更改承辦人。',
  withdraw: '已撤回，回到草稿。',
}

const skippedBy: Record<string, string> = {
  noConsent: '未同意接收',
  noAddress: '沒有可用的地址',
  preferenceOff: '已關閉這類通知',
  blocked: '已封鎖或地址停用',
  frequency: '近期已收到太多通知',
  doNotRemind: '選擇不用提醒',
  answered: '已回覆，不需提醒',
  cancelled: '訊息已取消',
  stopped: '發送已停止',
  expired: '已逾期',
  parked: '等待時被略過',
  fallback: '改由其他管道發送',
  erased: '資料已刪除',
}

const moves: Record<string, string> = {
  create: '建立',
  edit: '修改',
  submit: '送審',
  approve: '核准',
  reject: '退回',
  withdraw: '撤回修改',
  auto_check: '自動檢查：交由核准者審核',
  name_organisers: '指定承辦人',
  start: '開始發送',
  drift: '對象或用量有變更，退回審核',
  finish: '發送完畢',
  pause: '暫停',
  resume: '繼續',
  cancel: '取消',
  stop: '停止',
  expire: '逾期',
  retry: '重試',
  skip: '略過其餘的人',
  test_send: '傳送測試',
  individual_targeting: '指定收件人',
}

const chinese = {
  title: '訊息',
  none: '這個單位還沒有訊息。',
  nothingFound: '沒有符合條件的訊息。',
  all: '全部',
  filter: '狀態',
  search: '標題、編號或來源編號',
  /** A group of states, as people look for them. */
  groups: {
    draft: '撰寫中',
    waiting: '待審核',
    planned: '已排定',
    sent: '已發送',
    failed: '未發送',
  },
  ofMine: {
    none: '您還沒有寫過訊息。範圍選「全部」，可以看這個單位的所有訊息。',
    nothingFound: '您的訊息中沒有符合條件的。範圍選「全部」，可以在這個單位的所有訊息中尋找。',
  },
  whose: '範圍',
  whoseValues: { mine: '我的', all: '全部' },
  /** Of what is no message yet. */
  writing: '撰寫中',
  writtenKinds: { pattern: '報名與問卷', template: '範本' },
  /** What the time of a row is. */
  times: {
    created: (at: string) => `建立 ${at}`,
    saved: (at: string) => `儲存 ${at}`,
    submitted: (at: string) => `送審 ${at}`,
    planned: (at: string) => `預定 ${at}`,
    sent: (at: string) => `發送 ${at}`,
  },
  states: stateWords['zh-TW'],
  columns: { title: '標題', state: '狀態', people: '人數', when: '時間', author: '撰寫者' },
  /** In a list, where nothing is known yet. */
  unknown: '—',
  refresh: '重新整理',
  /** While a page that moves cannot be fetched. */
  late: '目前無法更新，畫面可能不是最新的狀況。',
  decide: '前往審核',
  edit: '繼續撰寫',
  nextThing: {
    draft: '尚未送審。送審後由核准者審核，核准後才會發送。',
    submitted: (when: string) => `等待核准者審核。若現在核准，最早於 ${when} 發送。`,
    submittedAtOnce: '等待核准者審核，核准後立即發送。',
    approved: (when: string) => `已核准，最早於 ${when} 發送，在此之前仍可取消。`,
    approvedNow: '已核准，即將開始發送。',
    paused: '已暫停，繼續之前不會再發送給任何人。',
    reminder: (when: string) => `將於 ${when} 發送提醒。`,
  },
  /** `problem`: a sentence of its own. */
  waits: (problem: string) => `目前無法發送：${problem}`,
  nextTry: (at: string) => `系統會自動重試，下次為 ${at}。`,
  deferred: (channel: string, count: string, reason: string, at: string) =>
    `${channel}：${count} 則稍後重試（${reason}），下次為 ${at}。`,
  progress: {
    label: '發送進度',
    people: (done: string, all: string) => `${all}中已處理 ${done} 人`,
    deliveries: (done: string, all: string) => `${all} 則中已處理 ${done} 則`,
  },
  peopleCounts: { reached: '收到', unknown: '結果不明', failed: '失敗', skipped: '略過', pending: '等待中' },
  counts: { sent: '已送達服務商', unknown: '結果不明', failed: '失敗', skipped: '略過', pending: '等待中' },
  sections: {
    progress: '發送結果',
    facts: '發送對象與時間',
    content: '文字與按鈕的作用',
    answers: '回覆',
    clicks: '連結點擊',
    missed: '誰沒有收到',
    timeline: '經過',
  },
  acts: {
    submit: {
      button: '送審',
      title: '要送審嗎？',
      text: (people) => `送審後由核准者審核，核准後會發送給 ${people}。送審後要先撤回才能修改。`,
      confirm: '確定送審',
    },
    withdraw: {
      button: '撤回修改',
      title: '要撤回修改嗎？',
      text: () => '撤回後回到草稿，內容都會保留，核准者不能再核准這一版。改好後再送審。',
      confirm: '撤回修改',
    },
    pause: {
      button: '暫停',
      title: '要暫停嗎？',
      text: (people) => `暫停後不會再發送給其餘的人（${people}），已保留的用量仍會保留。之後可以繼續。`,
      confirm: '確定暫停',
    },
    resume: {
      button: '繼續',
      title: '要繼續發送嗎？',
      text: (people) => `繼續後會發送給其餘的人（${people}）。`,
      confirm: '確定繼續',
    },
    cancel: {
      button: '取消',
      title: '要取消嗎？',
      text: (people) => `取消後，${people}都不會收到，已保留的用量會釋出。取消後不能復原。`,
      confirm: '確定取消',
    },
    stop: {
      button: '停止',
      title: '要停止發送嗎？',
      text: (people) => `停止後，其餘的人（${people}）不會收到；已送出的無法收回。停止後不能復原。`,
      confirm: '確定停止',
    },
    retry: {
      button: '立即重試',
      title: '要立即重試嗎？',
      text: (people) => `不等到下次重試的時間，現在就發送給其餘的人（${people}）。`,
      confirm: '立即重試',
    },
    skip: {
      button: '略過其餘的人',
      title: '要略過其餘的人嗎？',
      text: (people) => `不再重試，其餘的人（${people}）不會收到，這次發送就此結束。略過後不能復原。`,
      confirm: '略過並結束發送',
    },
    copy: {
      button: '複製為草稿',
      title: '要複製嗎？',
      text: () => '會以相同的內容與對象建立一則新的草稿，已過的時間不會複製。原來的訊息不受影響。',
      confirm: '建立草稿',
    },
    test: {
      button: '傳給自己試看',
      title: '要傳給自己試看嗎？',
      text: () => '只會傳給您自己，並標示為測試，不使用單位的用量。',
      confirm: '傳給自己',
    },
  } satisfies Record<Act, ActWords>,
  done,
  back: '返回',
  stale: { title: '訊息已有變更', text: '您開啟頁面後訊息有變更，因此沒有執行。請確認目前的狀況後再試。' },
  refused: { title: '沒有執行', text: '目前不能這麼做。請確認目前的狀況後再試。' },
  asked: (all: string, reached: string, answered: string, share: string) =>
    `${all}：收到 ${reached}、回覆 ${answered}（${share}）`,
  clickLine: (total: string, people: string) => `點擊 ${total} 次；郵件中有 ${people} 人點擊`,
  skippedBy,
  trace: {
    label: '查詢一個人的情況',
    hint: '輸入學號或員工編號。查詢會留下紀錄。',
    button: '查詢',
    title: (uid: string) => `${uid} 的情況`,
    unknown: '找不到這個人，請檢查編號。',
    ids: '編號（供技術人員查詢）',
    forbidden: '只有這個單位的核准者與行政單位成員可以查詢個人的情況，請洽這些同仁。',
  },
  moves,
  reminderSent: '提醒的發送結果',
}

export type MessageWords = typeof chinese

/** Texts of the pages about messages. */
export const messageWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    title: 'Messages',
    none: 'This unit has no messages yet.',
    nothingFound: 'No message matches.',
    all: 'All',
    filter: 'State',
    search: 'Title, id or reference',
    groups: {
      draft: 'Being written',
      waiting: 'To be approved',
      planned: 'To be sent',
      sent: 'Sent',
      failed: 'Not sent',
    },
    ofMine: {
      none: 'You have written no message yet. Choose “All” to see every message of the unit.',
      nothingFound: 'None of your messages match. Choose “All” to search every message of the unit.',
    },
    whose: 'Whose',
    whoseValues: { mine: 'Mine', all: 'All' },
    writing: 'Being written',
    writtenKinds: { pattern: 'Registration or survey', template: 'Template' },
    times: {
      created: (at) => `created ${at}`,
      saved: (at) => `saved ${at}`,
      submitted: (at) => `submitted ${at}`,
      planned: (at) => `planned ${at}`,
      sent: (at) => `sent ${at}`,
    },
    states: stateWords.en,
    columns: { title: 'Title', state: 'State', people: 'People', when: 'Time', author: 'Author' },
    unknown: '—',
    refresh: 'Refresh',
    late: 'This cannot be updated now, and may not be how it is.',
    decide: 'Decide',
    edit: 'Go on writing',
    nextThing: {
      draft: 'Not submitted yet. It is sent only after an approver has approved it.',
      submitted: (when) => `It waits for an approver. Approved now, it is sent at ${when} at the earliest.`,
      submittedAtOnce: 'It waits for an approver, and is sent as soon as one approves it.',
      approved: (when) => `Approved. It is sent at ${when} at the earliest; until then it can be cancelled.`,
      approvedNow: 'Approved. The send is about to begin.',
      paused: 'Paused. Nobody receives anything until it is resumed.',
      reminder: (when) => `The reminder is sent at ${when}.`,
    },
    waits: (problem) => `It cannot be sent at the moment: ${problem}`,
    nextTry: (at) => `It is retried automatically, next at ${at}.`,
    deferred: (channel, count, reason, at) =>
      `${channel}: ${count} are retried later (${reason}), next at ${at}.`,
    progress: {
      label: 'Progress',
      people: (done, all) => `${done} of ${all} done`,
      deliveries: (done, all) => `${done} of ${all} ${all === '1' ? 'delivery' : 'deliveries'} done`,
    },
    peopleCounts: {
      reached: 'Reached',
      unknown: 'Outcome unknown',
      failed: 'Failed',
      skipped: 'Skipped',
      pending: 'Waiting',
    },
    counts: {
      sent: 'Accepted by the provider',
      unknown: 'Outcome unknown',
      failed: 'Failed',
      skipped: 'Skipped',
      pending: 'Waiting',
    },
    sections: {
      progress: 'What happened',
      facts: 'To whom, and when',
      content: 'Texts, and what buttons do',
      answers: 'Answers',
      clicks: 'Clicks on links',
      missed: 'Who did not get it',
      timeline: 'History',
    },
    acts: {
      submit: {
        button: 'Submit',
        title: 'Submit this message?',
        text: (people) =>
          `An approver decides about it; approved, it goes to ${people}. To change it then, withdraw it first.`,
        confirm: 'Submit',
      },
      withdraw: {
        button: 'Withdraw to edit',
        title: 'Withdraw this message to edit it?',
        text: () =>
          'It is a draft again, with all of its content, and approvers can no longer approve this version. Submit it again once ' +
          'it is as it should be.',
        confirm: 'Withdraw to edit',
      },
      pause: {
        button: 'Pause',
        title: 'Pause this message?',
        text: (people) =>
          `Nobody else (${people}) receives it until it is resumed. Its quota stays reserved.`,
        confirm: 'Pause',
      },
      resume: {
        button: 'Resume',
        title: 'Resume this message?',
        text: (people) => `It goes on to the others (${people}).`,
        confirm: 'Resume',
      },
      cancel: {
        button: 'Cancel message',
        title: 'Cancel this message?',
        text: (people) =>
          `None of the ${people} receives it, and its quota is released. This cannot be undone.`,
        confirm: 'Cancel message',
      },
      stop: {
        button: 'Stop',
        title: 'Stop the send?',
        text: (people) =>
          `The others (${people}) do not receive it. What was sent cannot be taken back. This cannot be undone.`,
        confirm: 'Stop the send',
      },
      retry: {
        button: 'Retry now',
        title: 'Retry now?',
        text: (people) => `It is sent to the others (${people}) now, instead of at the next try.`,
        confirm: 'Retry now',
      },
      skip: {
        button: 'Skip the others',
        title: 'Skip the others?',
        text: (people) =>
          `It is not tried again: the others (${people}) do not receive it, and the send ends. This cannot be undone.`,
        confirm: 'Skip them and end the send',
      },
      copy: {
        button: 'Copy as a draft',
        title: 'Copy this message?',
        text: () =>
          'A new draft gets the same content and audience, without times that are over. This message stays as it is.',
        confirm: 'Make the draft',
      },
      test: {
        button: 'Send to myself',
        title: 'Send it to yourself?',
        text: () => 'It goes to you alone, marked as a test, and uses no quota of the unit.',
        confirm: 'Send to myself',
      },
    },
    done: {
      test: 'Sent to yourself.',
      copy: 'This is the new draft.',
      organise: 'The organisers were changed.',
      withdraw: 'It was withdrawn, and is a draft.',
    },
    back: 'Back',
    stale: {
      title: 'The message has changed',
      text: 'It changed after you opened the page, so nothing was done. See how it is now, then try again.',
    },
    refused: {
      title: 'Nothing was done',
      text: 'This is not possible now. See how it is now, then try again.',
    },
    asked: (all, reached, answered, share) => `${all}: ${reached} reached, ${answered} answered (${share})`,
    clickLine: (total, people) =>
      `${total} ${total === '1' ? 'click' : 'clicks'}; ${people} ${people === '1' ? 'person' : 'people'} in their mail`,
    skippedBy: {
      noConsent: 'No consent',
      noAddress: 'No usable address',
      preferenceOff: 'Turned off by the person',
      blocked: 'Blocked, or the address is suppressed',
      frequency: 'Too many notifications recently',
      doNotRemind: 'Asked not to be reminded',
      answered: 'Has answered, needs no reminder',
      cancelled: 'The message was cancelled',
      stopped: 'The send was stopped',
      expired: 'Expired',
      parked: 'Skipped while the send waited',
      fallback: 'Sent on another channel instead',
      erased: 'The data were erased',
    },
    trace: {
      label: 'What became of it for one person',
      hint: 'A student or staff number. Who asks is recorded.',
      button: 'Look up',
      title: (uid) => `What became of it for ${uid}`,
      unknown: 'Nobody has this number. Check it.',
      ids: 'Ids, for technicians',
      forbidden:
        'Only approvers of the unit and members of an administrative unit may ask about one person. Ask one of them.',
    },
    moves: {
      create: 'Created',
      edit: 'Changed',
      submit: 'Submitted',
      approve: 'Approved',
      reject: 'Rejected',
      withdraw: 'Withdrawn, to be edited',
      auto_check: 'Checked automatically: left to an approver',
      name_organisers: 'Organisers named',
      start: 'Send began',
      drift: 'Back to review: its audience or quota changed',
      finish: 'Send ended',
      pause: 'Paused',
      resume: 'Resumed',
      cancel: 'Cancelled',
      stop: 'Stopped',
      expire: 'Expired',
      retry: 'Retried',
      skip: 'The others were skipped',
      test_send: 'Test sent',
      individual_targeting: 'Recipients named',
    },
    reminderSent: 'What happened to the reminder',
  },
}
