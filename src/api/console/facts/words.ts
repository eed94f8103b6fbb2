import { byChannel, channelFacts } from '../../../channels/facts/by-channel.ts'
import type {
  ApprovalKind,
  Channel,
  DriftReason,
  Exclusion,
  Locale,
  RemindTo,
  ReviewReason,
  RunPer,
  WaveName,
} from '../../../contract/enums.ts'
import type { Blame } from '../../../domain/message/shortfall.ts'

const why: Record<Exclude<ApprovalKind, 'message'> | 'drift', string> = {
  template: '範本的新版本須經核准，使用它的訊息才能自動核准。',
  event_binding: '事件綁定決定誰會收到訊息，因此變更須經核准。',
  scenario: '情境會代表單位與人對話，因此新版本須經核准。',
  drift: '核准後情況有變，已退回重新審核。',
}

const outcome: Record<string, string> = {
  draft: '尚未送審',
  approved: '已核准',
  in_force: '已核准',
  replaced: '已被新版本取代',
  sending: '已核准，發送中',
  paused: '已核准，目前暫停',
  sent: '已核准並發送',
  failed: '已核准，但發送失敗',
  rejected: '已退回',
  withdrawn: '撰寫者已撤回修改',
  cancelled: '已取消',
  stopped: '已停止發送',
  expired: '已逾期',
}

const chinese = {
  labels: {
    why: '審核原因',
    changed: '變更內容',
    category: '類別',
    author: '撰寫者',
    since: '送審時間',
    people: '收件人',
    audience: '對象',
    excluded: '不會收到',
    when: '發送時間',
    expires: '截止時間',
    pace: '發送速度',
    calendar: '加入行事曆',
    reminder: '提醒',
    cost: '用量',
    links: '連結',
    organisers: '承辦人',
    warnings: '請留意',
    version: '版本',
    variables: '變數',
    events: '事件',
    template: '範本',
    scenario: '情境',
    schedule: '排程',
    pattern: '報名與問卷',
    keys: '簽章金鑰',
    enabled: '啟用',
    effect: '核准之後',
    content: '內容',
    name: '名稱',
    purpose: '用途',
    triggers: '自動開始',
    lookups: '外部查詢',
    late: '延遲',
    farewell: '道別',
  },
  why,
  review: {
    audience_small: '單位自訂的名單將對象縮小到不足 5 人，須經人工核准。',
    category_not_auto: '這個類別的訊息須經人工核准。',
    audience_not_subjects: '這則訊息由事件觸發，但收件人是依條件篩選，而非事件指定的人，須經人工核准。',
    template_required: '這則訊息沒有使用範本，因此不能自動核准。',
    template_not_approved: '使用的範本尚未核准，因此不能自動核准。',
    quota: '配額不足，因此不能自動核准。',
    audience_too_large: '收件人數超過自動核准的上限。',
    content_violation: '部分內容無法在發送管道中呈現，因此不能自動核准。',
  } satisfies Record<ReviewReason, string>,
  drift: {
    audience: '核准後收件人有變動，已退回重新審核。',
    limit: '收件人數已超過自動核准的上限，已退回審核。',
    no_recipients: '核准後名單上已沒有任何收件人，已退回重新審核。',
    quota: '配額不足以發送已核准的訊息，已退回重新審核。',
  } satisfies Record<DriftReason, string>,
  channels: byChannel(({ names }) => names['zh-TW'].title),
  perChannel: (channel: Channel, count: string) =>
    `${channelFacts[channel].names['zh-TW'].title} ${count} 人`,
  exclusions: {
    noConsent: (count) => `${count} 人未同意接收`,
    noAddress: (count) => `${count} 人沒有可用的聯絡方式`,
    preferenceOff: (count) => `${count} 人已關閉這類通知`,
    blocked: (count) => `${count} 人已封鎖，或地址已停用`,
    frequency: (count) => `${count} 人已達接收次數上限`,
    unknownUids: (count) => `${count} 個識別碼查無此人`,
  } satisfies Record<Exclusion | 'frequency' | 'unknownUids', (count: string) => string>,
  nobodyExcluded: '沒有排除任何人。',
  everybody: '所有人',
  individuals: (count: string) => `指定的 ${count} 人`,
  nobody: (uid: string) => `${uid}（查無此人）`,
  others: (count: string) => `另外 ${count} 人`,
  unlisted: (count: string) => `還有 ${count} 人未列出`,
  eventSubjects: '事件所指定的人',
  except: (audience: string) => `排除${audience}`,
  keptBy: (name: string, key: string) => `${name}（名單由「${key}」維護）`,
  atOnce: '核准後立即發送',
  planned: (moment: string) => `原訂 ${moment}，時間已過`,
  cost: (pushes: string, left: string, month: string) => `需要 ${pushes} 則，${month}剩餘 ${left} 則`,
  pool: (left: string) => `共用配額 ${left} 則`,
  enough: '足夠。',
  notEnough: '不足。',
  short: '配額不足，目前無法核准。請洽系統管理員提高配額。',
  twice: '提醒最多再使用相同則數。',
  /** Whom the reminder goes to. */
  remindTo: {
    all: '對象為已收到訊息的人，不含表示不用提醒的人。',
    unanswered: '對象為已收到訊息但尚未回覆的人，不含表示不用提醒的人。',
  } satisfies Record<RemindTo, string>,
  /** How the reminder differs from the content. */
  reminderContent:
    '內容與訊息相同，但不再附「不用再提醒我」的選項；聊天訊息會先寫「提醒」，郵件主旨前會加上「提醒：」。',
  /** A pace, and when the last one is sent to. */
  pace: (perMinute: string, last: string) =>
    `每分鐘最多 ${perMinute} 則；依送審時估計，最後一則約在 ${last} 發出`,
  calls: (count: string) => `每人 ${count} 則`,
  /** `address`: what the links begin with. */
  tracked: (address: string) => `系統會統計點擊次數：開啟網頁的按鈕會先連到 ${address}…，再轉往所示的網頁。`,
  organisersRead: '核准後，他們可以看每個人的回覆。',
  trackedMails: '寄出的郵件中，每位收件人的連結各不相同；下方的郵件預覽只顯示網頁本身的網址。',
  untrackedTurns: '這個類別只統計訊息中連結的點擊次數；對話中的連結直接開啟網頁，不列入統計。',
  versionOf: (version: string, inForce: string | null) =>
    inForce === null ? `第 ${version} 版` : `第 ${version} 版（目前使用第 ${inForce} 版）`,
  comparedWith: (version: string) => `與第 ${version} 版相比`,
  inLanguage: (what: string, language: string) => `${what}（${language}）`,
  block: (number: string) => `第 ${number} 段`,
  none: '無',
  removed: '刪除',
  added: '新增',
  yes: '是',
  no: '否',
  anyKey: '所有金鑰',
  noTemplate: '未指定範本，因此事件不會產生訊息',
  templateVersion: (name: string, version: string) => `${name}（第 ${version} 版）`,
  scenarioVersion: (name: string, version: string | null) =>
    version === null ? `${name}（尚未生效，因此事件還不會開始對話）` : `${name}（第 ${version} 版）`,
  runsPer: {
    subject: '對話進行中的人，不會因新的事件再開始一次。',
    event: '每個事件都會開始一次對話。',
  } satisfies Record<RunPer, string>,
  effect: {
    template: '之後送審的訊息會使用這個版本，並可通過自動核准。',
    event_binding: '之後收到的事件會依這項設定產生訊息。',
    runs: '之後收到的事件會依這項設定，與事件所列的人開始對話，不再逐一核准。',
    scenario: '之後開始的對話都依這個版本進行；進行中的對話留在原來的版本。',
    query: '之後收到的事件會依這項設定產生訊息，每則訊息仍須經人工核准。',
  },
  optional: (name: string) => `${name}（選填）`,
  /** `value`: as JSON. */
  byDefault: (name: string, value: string) => `${name}，預設 ${value}`,
  blocks: {
    image: '圖片',
    sticker: '貼圖',
    card: (number: string, count: string) => `第 ${number} 張卡片，共 ${count} 張`,
    locked: '已鎖定',
    /** `address`: where the link leads first. */
    opens: (url: string, address: string) => `${url}（經由 ${address}…）`,
    answers: '回覆',
    mutes: '關閉這類通知',
    joins: (group: string | undefined) => (group === undefined ? '加入群組' : `加入群組「${group}」`),
    jumps: (scenario: string | undefined) =>
      scenario === undefined ? '開始另一段對話' : `開始對話「${scenario}」`,
    subject: '郵件主旨',
    noEnglish: '沒有英文版，使用英文的收件人會收到中文。',
  },
  asMail: {
    first: (language) => `電子郵件預覽（${language}）`,
    reminder: (language) => `提醒郵件預覽（${language}）`,
  } satisfies Record<WaveName, (language: string) => string>,
  /** The same where another person has decided meanwhile, by what they did. */
  decidedBefore: {
    approved: (name: string, moment: string) => `${name}已於 ${moment} 核准，您不需要再處理。`,
    rejected: (name: string, moment: string) => `${name}已於 ${moment} 退回，您不需要再處理。`,
    cancelled: (name: string, moment: string) => `${name}已於 ${moment} 取消，您不需要再處理。`,
    withdrawn: (name: string, moment: string) =>
      `${name}已於 ${moment} 撤回修改，您不需要再處理；改好後會再送審。`,
  },
  outcome,
  /** Of a send that reached no recipients or far too few: instead of `outcome`. */
  shortfall: {
    failed: (reached: string, blame: string) => `發送失敗，${reached} 人收到（${blame}）。`,
    /** Where most were reached. */
    missed: (people: string, missed: string, blame: string) =>
      `已發送，${people} 人中有 ${missed} 人沒有收到（${blame}）。`,
    blames: {
      address: '收件地址不存在',
      full: '收件信箱已滿',
      content: '內容不被服務商接受',
      provider: '服務商拒絕',
      scenario: '對話在某個步驟無法繼續',
    } satisfies Record<Blame, string>,
    /** Of a start of conversations. */
    talks: (moment: string, people: string, failed: string, blame: string) =>
      `${moment} 開始的對話，${people} 人中有 ${failed} 人的對話失敗（${blame}）。`,
    approvedBy: (name: string, moment: string) => `${name}於 ${moment} 核准。`,
  },
  outcomeBy: (what: string, name: string, moment: string) => `${what}：${name}，${moment}`,
  reason: '原因',
}

export type FactWords = typeof chinese

/** What pages say of a message, template, binding or scenario, and of what became of it. */
export const factWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    labels: {
      why: 'Why you are asked',
      changed: 'What changed',
      category: 'Category',
      author: 'Author',
      since: 'Waiting since',
      people: 'Recipients',
      audience: 'Audience',
      excluded: 'Left out',
      when: 'Send time',
      expires: 'Expires',
      pace: 'Pace',
      calendar: 'For calendars',
      reminder: 'Reminder',
      cost: 'Cost',
      links: 'Links',
      organisers: 'Organisers',
      warnings: 'Please note',
      version: 'Version',
      variables: 'Variables',
      events: 'Events',
      template: 'Template',
      scenario: 'Scenario',
      schedule: 'Schedule',
      pattern: 'Takes answers',
      keys: 'Signing keys',
      enabled: 'Enabled',
      effect: 'Once approved',
      content: 'Content',
      name: 'Name',
      purpose: 'Purpose',
      triggers: 'Starts',
      lookups: 'Lookups',
      late: 'Lateness',
      farewell: 'Farewell',
    },
    why: {
      template: 'Messages can pass the automatic check only with an approved version of their template.',
      event_binding: 'An event binding decides who receives messages, so each change needs an approval.',
      scenario: 'A scenario talks to people on behalf of the unit, so each new version needs an approval.',
      drift: 'It was approved, but has changed since and returned to review.',
    },
    review: {
      audience_small:
        'Lists of the unit narrow the audience to fewer than 5 people, so a person must approve it.',
      category_not_auto: 'Messages of this category need the approval of a person.',
      audience_not_subjects:
        'An event triggered this message, but its recipients come from a query instead of the event, so ' +
        'a person must approve it.',
      template_required: 'It has no template, so the automatic check cannot approve it.',
      template_not_approved: 'Its template is not approved, so the automatic check cannot approve it.',
      quota: 'The quota does not cover it, so the automatic check cannot approve it.',
      audience_too_large: 'It has more recipients than the automatic check may approve.',
      content_violation:
        'A channel cannot carry some of its content, so the automatic check cannot approve it.',
    },
    drift: {
      audience: 'It was approved, but its recipients have changed. It needs another review.',
      limit: 'It was approved automatically, and now has more recipients than may be approved that way.',
      no_recipients: 'It was approved, but it no longer has any recipient. It needs another review.',
      quota: 'It was approved, and the quota no longer covers it. It needs another review.',
    },
    channels: byChannel(({ names }) => names.en.title),
    perChannel: (channel, count) => `${count} by ${channelFacts[channel].names.en.inText}`,
    exclusions: {
      noConsent: (count) => `${count} without consent`,
      noAddress: (count) => `${count} without a usable address`,
      preferenceOff: (count) => `${count} who turned these messages off`,
      blocked: (count) => `${count} who blocked us, or whose address is suppressed`,
      frequency: (count) => `${count} who have reached the frequency cap`,
      unknownUids: (count) => `${count} unknown ids`,
    },
    nobodyExcluded: 'No one is excluded.',
    everybody: 'Everyone',
    individuals: (count) => (count === '1' ? '1 named person' : `${count} named people`),
    nobody: (uid) => `${uid} (nobody has this uid)`,
    others: (count) => `${count} more`,
    unlisted: (count) => `${count} are not listed here`,
    eventSubjects: 'The people named by the event',
    except: (audience) => `Except ${audience.charAt(0).toLowerCase()}${audience.slice(1)}`,
    keptBy: (name, key) => `${name} (kept up to date by ${key})`,
    atOnce: 'Immediately after approval',
    planned: (moment) => `Planned for ${moment}, which has passed`,
    cost: (pushes, left, month) => `needs ${pushes}; ${left} left in ${month}`,
    pool: (left) => `${left} in the shared pool`,
    enough: 'Enough.',
    notEnough: 'Not enough.',
    short: 'The quota does not cover it. Ask a system administrator to raise it.',
    twice: 'The reminder costs at most the same again.',
    remindTo: {
      all: 'To people who received the message, except those who declined the reminder.',
      unanswered:
        'To people who received the message and have not answered, except those who declined the ' +
        'reminder.',
    },
    reminderContent:
      'The same content, without the option to decline it. It begins with “Reminder”, in the chat and in the subject of its mail.',
    pace: (perMinute, last) =>
      `At most ${perMinute} a minute; the last one goes at about ${last}, as reckoned at submit`,
    calls: (count) => `${count} for each person`,
    tracked: (address) =>
      `Clicks are counted: buttons that open a web page lead to ${address}… first, and from there to the page shown.`,
    organisersRead: 'Once approved, they see what each person answers.',
    trackedMails:
      'In the sent mails, each recipient has their own links. The mail previews show the URLs of the ' +
      'pages themselves.',
    untrackedTurns:
      'This category counts clicks in messages only. Links in a conversation open their page directly ' +
      'and are not counted.',
    versionOf: (version, inForce) =>
      inForce === null ? version : `${version} (version ${inForce} is in use)`,
    comparedWith: (version) => `Compared with version ${version}`,
    inLanguage: (what, language) => `${what} (${language})`,
    block: (number) => `Block ${number}`,
    none: 'none',
    removed: 'Removed',
    added: 'New',
    yes: 'yes',
    no: 'no',
    anyKey: 'All keys',
    noTemplate: 'No template: events do not create messages',
    templateVersion: (name, version) => `${name} (version ${version})`,
    scenarioVersion: (name, version) =>
      version === null
        ? `${name} (no version in force yet: events start nothing)`
        : `${name} (version ${version})`,
    runsPer: {
      subject: 'While a person has an open conversation, a new event does not start another.',
      event: 'Every event starts its own conversation.',
    },
    effect: {
      template: 'Messages submitted after the approval use this version, and can pass the automatic check.',
      event_binding: 'Later events create messages by this rule.',
      runs: 'Later events start conversations with the people they name, without further approval.',
      scenario: 'New conversations use this version. Conversations in progress keep theirs.',
      query: 'Later events create messages by this rule, each of which still needs an approver.',
    },
    optional: (name) => `${name} (optional)`,
    byDefault: (name, value) => `${name}, by default ${value}`,
    blocks: {
      image: 'Image',
      sticker: 'Sticker',
      card: (number, count) => `Card ${number} of ${count}`,
      locked: 'Locked',
      opens: (url, address) => `${url} by way of ${address}…`,
      answers: 'answers',
      mutes: 'turns a category off',
      joins: (group) => (group === undefined ? 'joins a group' : `joins the group “${group}”`),
      jumps: (scenario) =>
        scenario === undefined ? 'starts another scenario' : `starts the scenario “${scenario}”`,
      subject: 'Subject of the mail',
      noEnglish: 'There is no English text. Everyone receives the Chinese one.',
    },
    asMail: {
      first: (language) => `As a mail (${language})`,
      reminder: (language) => `The reminder’s mail (${language})`,
    },
    decidedBefore: {
      approved: (name, moment) => `${name} approved this at ${moment}. There is nothing left for you to do.`,
      rejected: (name, moment) => `${name} rejected this at ${moment}. There is nothing left for you to do.`,
      cancelled: (name, moment) =>
        `${name} cancelled this at ${moment}. There is nothing left for you to do.`,
      withdrawn: (name, moment) =>
        `${name} withdrew this at ${moment}, to edit it. There is nothing left for you to do until it is submitted again.`,
    },
    outcome: {
      draft: 'Not submitted yet',
      approved: 'Approved',
      in_force: 'Approved',
      replaced: 'Replaced by a newer version',
      sending: 'Approved, and being sent',
      paused: 'Approved, and paused',
      sent: 'Approved and sent',
      failed: 'Approved, but not delivered',
      rejected: 'Rejected',
      withdrawn: 'Withdrawn by its author, to be edited',
      cancelled: 'Cancelled',
      stopped: 'Stopped',
      expired: 'Expired',
    },
    shortfall: {
      failed: (reached, blame) => `The send failed: it reached ${reached} (${blame}). `,
      missed: (people, missed, blame) => `It was sent and did not reach ${missed} of ${people} (${blame}). `,
      blames: {
        address: 'the addresses do not exist',
        full: 'the mailboxes are full',
        content: 'the provider did not accept the content',
        provider: 'rejected by the provider',
        scenario: 'the conversation could not go on at a node',
      },
      talks: (moment, people, failed, blame) =>
        `The conversations started at ${moment} failed with ${failed} of ${people} people (${blame}).`,
      approvedBy: (name, moment) => `${name} approved it at ${moment}.`,
    },
    outcomeBy: (what, name, moment) => `${what}: ${name}, ${moment}`,
    reason: 'Reason',
  },
}
