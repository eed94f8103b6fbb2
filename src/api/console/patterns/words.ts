import type { Locale, PatternStatus, PatternType } from '../../../contract/enums.ts'
import type { ChangeState, ConfirmedAct, Standing } from './acts.ts'

/** What is done with a pattern on its page; it is created on another one. */
export const patternActs = [
  'create',
  'activate',
  'try',
  'change',
  'organise',
  'withdraw',
  'close',
  'reopen',
  'resume',
] as const
export type PatternAct = (typeof patternActs)[number]

type Confirmation = { button: string; title: string; text: string; confirm: string }

const chinese = {
  title: '報名與問卷',
  columns: ['名稱', '類型', '狀態', '名額', '截止時間'],
  none: '還沒有報名、問卷或出席調查。',
  nothingFound: '沒有符合的項目。',
  search: '名稱',
  begin: {
    registration: '新的報名',
    survey: '新的問卷',
    rsvp: '新的出席調查',
  } satisfies Record<PatternType, string>,
  types: { registration: '報名', survey: '問卷', rsvp: '出席調查' } satisfies Record<PatternType, string>,
  statuses: { open: '開放中', full: '額滿', closed: '已截止' } satisfies Record<PatternStatus, string>,
  standings: {
    draft: '尚未開放',
    submitted: '待審核',
    rejected: '已退回',
    withdrawn: '已撤回',
    active: '開放中',
    paused: '已暫停',
    retired: '已停用',
  } satisfies Record<Standing, string>,
  /** Of a change of one that is open. */
  changes: {
    draft: '修改尚未送審',
    submitted: '修改待審核',
    rejected: '修改已退回',
    withdrawn: '修改已撤回',
  } satisfies Record<ChangeState, string>,
  nextStep: {
    draft: '還沒有開放，收件人無法回覆。',
    submitted: '核准者核准後就會開放。',
    rejected: '核准者退回了，還沒有開放。請依退回的原因修改後再送審。',
    withdrawn: '已撤回修改，還沒有開放。改好後再送審。',
    active: '已開放。邀請的訊息上有按鈕，按下就會開始對話。',
    paused: '已暫停，新的人無法開始對話。',
    retired: '已停用，不會再開放。',
  } satisfies Record<Standing, string>,
  /** Instead of that of one that is open, once its deadline has passed. */
  closedStep: '已截止，不再接受回覆。',
  changeSteps: {
    draft: '修改後的內容還沒有送審；目前開放的仍是原來的內容。',
    submitted: '修改後的內容待核准者審核；核准前，開放的仍是原來的內容。',
    rejected: '核准者退回了修改後的內容；目前開放的仍是原來的內容。',
    withdrawn: '修改後的內容已撤回；目前開放的仍是原來的內容。',
  } satisfies Record<ChangeState, string>,
  rejection: {
    by: (name: string, at: string) => `${name} 於 ${at} 退回`,
    reason: (why: string) => `原因：${why}`,
  },
  byHand: '這份對話的流程另外編輯過，無法在這裡修改；可以複製一份再修改，或請撰寫流程的人修改。',
  left: (left: string, capacity: string) => `剩 ${left}／${capacity}`,
  noEnd: '不限',
  invite: '邀請',
  activate: '開放',
  activateAgain: '送審',
  rewrite: '修改',
  copy: '複製',
  decide: '前往審核',
  tryIt: '在自己的手機上試試',
  aboutTry: '對話只會傳給您自己，不占名額，也不計入數字。',
  sections: {
    numbers: '數字',
    answers: '回覆',
    people: '誰回覆了什麼',
    change: '截止時間與名額',
  },
  numbers: {
    invited: '已邀請',
    reached: '已送達',
    read: '已讀',
    answered: '已回覆',
    registered: '有名額',
    waitlisted: '候補',
    withdrawn: '已取消',
    declined: '不參加',
    undecided: '未定',
    stopped: '中途停止',
  },
  completion: (share: string) => `受邀者中有 ${share} 完成回覆。`,
  asked: (invited: string, reached: string, answered: string, share: string) =>
    `邀請 ${invited}：收到 ${reached}、回覆 ${answered}（${share}）`,
  change: {
    deadline: '截止時間',
    capacity: '名額',
    button: '更改',
    zone: '時間以單位的時區為準。截止時間可以提前或延後；更改後立即生效。',
    onlyMore: '名額只能增加；增加的名額會依序給候補的人。',
  },
  acts: {
    withdraw: {
      button: '撤回修改',
      title: '要撤回修改嗎？',
      text: '撤回後，核准者不能再核准這個版本；內容都會保留，改好後再送審。',
      confirm: '確定撤回',
    },
    close: {
      button: '截止',
      title: '要現在截止嗎？',
      text: '截止後不再接受新的回覆與報名，候補的人也不再遞補。正在回覆、但還沒有回覆完的人，會收到已截止的訊息。已有名額的人仍保有名額。',
      confirm: '現在截止',
    },
    reopen: {
      button: '重新開放',
      title: '要重新開放嗎？',
      text: '請訂新的截止時間。重新開放後立即可以回覆，不須再經核准；截止時還在候補的人，須自行再報名一次。',
      confirm: '重新開放',
    },
    resume: {
      button: '結束暫停',
      title: '要結束暫停嗎？',
      text: '結束暫停後，大家可以再開始對話；暫停前開始的對話會繼續。',
      confirm: '結束暫停',
    },
  } satisfies Record<ConfirmedAct, Confirmation>,
  back: '返回',
  openTalks: '進行中的對話',
  moved: '已有變更，因此沒有執行。請確認目前的狀況後再試。',
  done: {
    create: '已儲存。',
    withdraw: '已撤回。',
    close: '已截止。',
    reopen: '已重新開放。',
    resume: '已結束暫停。',
    activate: '已送出。',
    try: '已開始。請看您的手機。',
    change: '已更改。',
    organise: '已更改承辦人。',
  } satisfies Record<PatternAct, string>,
  refused: '沒有完成。',
}

export type PatternPageWords = typeof chinese

/** Texts of the pages about registrations, surveys and rsvps. */
export const patternPageWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    title: 'Registrations and surveys',
    columns: ['Name', 'Type', 'State', 'Places', 'Open until'],
    none: 'There is no registration, survey or RSVP yet.',
    nothingFound: 'Nothing fits.',
    search: 'Name',
    begin: { registration: 'New registration', survey: 'New survey', rsvp: 'New RSVP' },
    types: { registration: 'Registration', survey: 'Survey', rsvp: 'RSVP' },
    statuses: { open: 'Open', full: 'Full', closed: 'Closed' },
    standings: {
      draft: 'Not open yet',
      submitted: 'To be approved',
      rejected: 'Rejected',
      withdrawn: 'Withdrawn',
      active: 'Open',
      paused: 'Paused',
      retired: 'Retired',
    },
    changes: {
      draft: 'Change not submitted',
      submitted: 'Change to be approved',
      rejected: 'Change rejected',
      withdrawn: 'Change withdrawn',
    },
    closedStep: 'It is closed: nobody can answer.',
    changeSteps: {
      draft: 'The change is not submitted yet; what is open is as it was.',
      submitted: 'The change waits for an approver; until then what is open is as it was.',
      rejected: 'An approver rejected the change; what is open is as it was.',
      withdrawn: 'The change was withdrawn; what is open is as it was.',
    },
    rejection: { by: (name, at) => `Rejected by ${name}, ${at}`, reason: (why) => `Reason: ${why}` },
    byHand:
      'The graph of this conversation was edited elsewhere, so it cannot be changed here. Copy it and change the copy, or ask ' +
      'who edited the graph.',
    nextStep: {
      draft: 'It is not open yet: nobody can answer.',
      submitted: 'It opens once an approver has approved it.',
      rejected: 'An approver rejected it, and it is not open. Change it, then submit it again.',
      withdrawn: 'It was withdrawn to be changed, and is not open. Change it, then submit it again.',
      active: 'It is open. The message that invites people has a button, which starts the conversation.',
      paused: 'It is paused: nobody can begin the conversation.',
      retired: 'It is retired, and does not open again.',
    },
    left: (left, capacity) => `${left} of ${capacity} left`,
    noEnd: 'no limit',
    invite: 'Invite people',
    activate: 'Open it',
    activateAgain: 'Submit it',
    rewrite: 'Change',
    copy: 'Copy',
    decide: 'Decide',
    tryIt: 'Try it on my phone',
    aboutTry: 'The conversation begins with you alone. It takes no place, and is in no numbers.',
    sections: {
      numbers: 'Numbers',
      answers: 'Answers',
      people: 'Who answered',
      change: 'Deadline and places',
    },
    numbers: {
      invited: 'Invited',
      reached: 'Reached',
      read: 'Read',
      answered: 'Answered',
      registered: 'With a place',
      waitlisted: 'Waiting',
      withdrawn: 'Withdrawn',
      declined: 'Declined',
      undecided: 'Undecided',
      stopped: 'Stopped half-way',
    },
    completion: (share) => `${share} of those who were invited have answered to the end.`,
    asked: (invited, reached, answered, share) =>
      `${invited} invited: ${reached} reached, ${answered} answered (${share})`,
    change: {
      deadline: 'Open until',
      capacity: 'Places',
      button: 'Change',
      zone: 'Times are in the zone of the unit. The deadline can be moved either way, and applies at once.',
      onlyMore: 'Places can only be added; those who wait get them in their order.',
    },
    acts: {
      withdraw: {
        button: 'Withdraw to edit',
        title: 'Withdraw it to edit?',
        text: 'Approvers can then no longer approve this version. All of it is kept: change it, then submit it again.',
        confirm: 'Withdraw it',
      },
      close: {
        button: 'Close',
        title: 'Close it now?',
        text:
          'Nobody can answer or register then, and nobody moves up from the waiting list. People in the middle of answering ' +
          'are told that it is closed. Who has a place keeps it.',
        confirm: 'Close it now',
      },
      reopen: {
        button: 'Open it again',
        title: 'Open it again?',
        text:
          'Choose a new deadline. People can answer at once, without another approval; those who still waited for a place ' +
          'when it closed have to ask again.',
        confirm: 'Open it again',
      },
      resume: {
        button: 'End the pause',
        title: 'End the pause?',
        text: 'People can begin the conversation again, and those that had begun go on.',
        confirm: 'End the pause',
      },
    },
    back: 'Back',
    openTalks: 'Conversations under way',
    moved: 'It has changed since you opened the page. See how it is now, then try again.',
    done: {
      create: 'It was saved.',
      withdraw: 'It was withdrawn.',
      close: 'It is closed.',
      reopen: 'It is open again.',
      resume: 'The pause has ended.',
      activate: 'Done.',
      try: 'It has begun. Look at your phone.',
      change: 'It was changed.',
      organise: 'The organisers were changed.',
    },
    refused: 'It was not done: ',
  },
}
