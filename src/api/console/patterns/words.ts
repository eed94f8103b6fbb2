import type { Locale, PatternStatus, PatternType, ShownScenarioState } from '../../../contract/enums.ts'

/** What is done with a pattern on its page; it is created on another one. */
export const patternActs = ['create', 'activate', 'try', 'change', 'organise'] as const
export type PatternAct = (typeof patternActs)[number]

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
  scenarios: {
    draft: '尚未開放',
    submitted: '待審核',
    active: '開放中',
    paused: '已暫停',
    retired: '已停用',
  } satisfies Record<ShownScenarioState, string>,
  nextStep: {
    draft: '還沒有開放，收件人無法回覆。',
    submitted: '核准者核准後就會開放。',
    active: '已開放。邀請的訊息上有按鈕，按下就會開始對話。',
    paused: '已暫停，新的人無法開始對話。',
    retired: '已停用，不會再開放。',
  } satisfies Record<ShownScenarioState, string>,
  left: (left: string, capacity: string) => `剩 ${left}／${capacity}`,
  noEnd: '不限',
  invite: '邀請',
  activate: '開放',
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
  done: {
    create: '已建立。',
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
    scenarios: {
      draft: 'Not open yet',
      submitted: 'To be approved',
      active: 'Open',
      paused: 'Paused',
      retired: 'Retired',
    },
    nextStep: {
      draft: 'It is not open yet: nobody can answer.',
      submitted: 'It opens once an approver has approved it.',
      active: 'It is open. The message that invites people has a button, which starts the conversation.',
      paused: 'It is paused: nobody can begin the conversation.',
      retired: 'It is retired, and does not open again.',
    },
    left: (left, capacity) => `${left} of ${capacity} left`,
    noEnd: 'no limit',
    invite: 'Invite people',
    activate: 'Open it',
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
    done: {
      create: 'It was created.',
      activate: 'Done.',
      try: 'It has begun. Look at your phone.',
      change: 'It was changed.',
      organise: 'The organisers were changed.',
    },
    refused: 'It was not done: ',
  },
}
