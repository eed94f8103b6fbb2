import type { ActivationReason, Locale, NodeKind, RegisterResult } from '../../../contract/enums.ts'

const kinds: Record<NodeKind, string> = {
  message: '訊息',
  question: '問題',
  lookup: '查詢',
  branch: '分支',
  wait: '等待',
  tag: '標籤',
  addToGroup: '加入群組',
  register: '報名',
  handoff: '真人服務',
  jump: '接著開始其他對話',
  end: '結束',
}

/** What a reserved variable of patterns is, as `name=value`. */
const conditions: Record<string, string> = {
  'pattern.status=open': '開放中',
  'pattern.status=full': '額滿',
  'pattern.status=closed': '已截止',
  'pattern.registration=registered': '已有名額的人',
  'pattern.registration=waitlisted': '候補中的人',
}

const chinese = {
  kinds,
  picture: {
    title: '流程圖',
    about: (nodes: string, start: string) =>
      `共 ${nodes} 個步驟，從「${start}」開始。各步驟的內容與走向列在圖的下方。`,
    tooLarge: '這個情境的步驟太多，流程圖會難以辨識，因此不顯示。各步驟的內容與走向列在下方。',
  },
  /** The heading of a node: its number in the picture, its kind, and its id. */
  step: (number: string, kind: string, id: string) => `${number}．${kind}（${id}）`,
  /** The name of a node where another leads to it. */
  to: (number: string, kind: string) => `步驟 ${number}（${kind}）`,
  cases: {
    done: '接著',
    option: (label: string) => `選「${label}」`,
    text: '輸入文字',
    otherwise: '其他情況',
    timeout: (after: string | null) => (after === null ? '逾時' : `${after}內未回答`),
    error: '失敗',
    equals: (name: string, value: string) => `${name} 為 ${value}`,
    oneOf: (name: string, values: string) => `${name} 為 ${values} 之一`,
    atLeast: (name: string, value: string) => `${name} ≥ ${value}`,
    atMost: (name: string, value: string) => `${name} ≤ ${value}`,
    exists: (name: string) => `有 ${name}`,
    result: {
      registered: '已報名',
      full: '額滿',
      closed: '已截止',
      withdrawn: '已取消報名',
    } satisfies Record<RegisterResult, string>,
    pattern: conditions,
  },
  leads: (when: string, to: string) => `${when} → ${to}`,
  /** What two versions may order differently. */
  order: { first: '第一個步驟', steps: '步驟的順序', edges: '連線的順序' },
  waits: (time: string) => `等候 ${time}`,
  handsOver: (time: string) => `由單位人員接手對話，最長 ${time}`,
  keysReply: '這個單位的系統金鑰也可以在這裡對人發言，內容不經核准',
  until: (moment: string) => `等到 ${moment}`,
  saves: (name: string) => `回答存為 ⟨${name}⟩`,
  calls: (method: string, url: string, variables: string) => `${method} ${url}，傳送${variables}`,
  callsWith: (variables: string) => (variables === '' ? '收件人代碼' : `收件人代碼與 ${variables}`),
  adds: (tags: string) => `加上標籤 ${tags}`,
  removes: (tags: string) => `移除標籤 ${tags}`,
  joins: (group: string) => `加入群組「${group}」`,
  registers: '為收件人報名',
  withdraws: '取消收件人的報名',
  waitsForPlace: '額滿時排入候補，並傳送以上內容',
  jumps: (scenario: string) => `改由情境「${scenario}」繼續`,
  takes: (variables: string) => `帶入變數 ${variables}`,
  seconds: (count: string) => `${count} 秒`,
  minutes: (count: string) => `${count} 分鐘`,
  hours: (count: string) => `${count} 小時`,
  days: (count: string) => `${count} 天`,
  reasons: {
    category_not_auto: '這個類別的情境須經人工核准。',
    has_triggers: '這個情境會自動開始（追蹤、關鍵字或其他訊息），須經人工核准。',
  } satisfies Record<ActivationReason, string>,
  follow: '有人追蹤帳號時開始，每人每天一次',
  otherwise: '有人傳來的內容不屬於任何對話或關鍵字時開始，每人每小時最多一次',
  keyword: (text: string) => `有人輸入「${text}」時開始`,
  noTriggers: '不會自動開始，由單位的系統、人員或訊息中的按鈕開始',
  jumpsCost: '已包含由此接著開始的其他對話。',
  roundsCost: '對方可能重新作答；以上是作答一次的用量，每多一次另計。',
  /** When the farewell is said, and what that costs. */
  farewell: {
    when: '單位終止這個情境時，會傳送以下內容給對話尚未結束的人，不須再經核准。',
    cost: '終止情境時，對話尚未結束的人每人另計 1 則。',
  },
  late: (time: string) => `最多延後 ${time}，逾時不再傳送`,
  staysPaused: '這個情境目前暫停，核准後仍維持暫停，直到單位恢復它。',
}

export type ScenarioWords = typeof chinese

const plural = (one: string) => (count: string) => (count === '1' ? `1 ${one}` : `${count} ${one}s`)

/** Texts about scenarios on the pages of approvals. */
export const scenarioWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    kinds: {
      message: 'Message',
      question: 'Question',
      lookup: 'Lookup',
      branch: 'Branch',
      wait: 'Wait',
      tag: 'Tags',
      addToGroup: 'Join a group',
      register: 'Registration',
      handoff: 'Talk to a person',
      jump: 'Other scenario',
      end: 'End',
    },
    picture: {
      title: 'The scenario as a graph',
      about: (nodes, start) =>
        `${plural('step')(nodes)}, starting with “${start}”. The content and target of each step are listed below the graph.`,
      tooLarge:
        'The scenario is too large for a readable graph. All steps and their targets are listed below.',
    },
    step: (number, kind, id) => `${number}. ${kind} (${id})`,
    to: (number, kind) => `step ${number} (${kind})`,
    cases: {
      done: 'Then',
      option: (label) => `“${label}”`,
      text: 'Typed text',
      otherwise: 'Otherwise',
      timeout: (after) => (after === null ? 'Time is over' : `No answer in ${after}`),
      error: 'Failed',
      equals: (name, value) => `${name} is ${value}`,
      oneOf: (name, values) => `${name} is one of ${values}`,
      atLeast: (name, value) => `${name} ≥ ${value}`,
      atMost: (name, value) => `${name} ≤ ${value}`,
      exists: (name) => `${name} has a value`,
      result: { registered: 'Registered', full: 'Full', closed: 'Closed', withdrawn: 'Withdrawn' },
      pattern: {
        'pattern.status=open': 'Open',
        'pattern.status=full': 'Full',
        'pattern.status=closed': 'Closed',
        'pattern.registration=registered': 'Has a place',
        'pattern.registration=waitlisted': 'Is waiting for a place',
      },
    },
    leads: (when, to) => `${when} → ${to}`,
    order: { first: 'First step', steps: 'Order of the steps', edges: 'Order of the edges' },
    waits: (time) => `Waits ${time}`,
    handsOver: (time) => `Members of the unit take over the conversation, for at most ${time}`,
    keysReply: 'A key of the unit may speak here too, and nobody approves what it says',
    until: (moment) => `Waits until ${moment}`,
    saves: (name) => `Saves the answer as ⟨${name}⟩`,
    calls: (method, url, variables) => `${method} ${url}, sends ${variables}`,
    callsWith: (variables) => (variables === '' ? "the person's id" : `the person's id and ${variables}`),
    adds: (tags) => `Adds ${tags}`,
    removes: (tags) => `Removes ${tags}`,
    joins: (group) => `Adds the person to the group “${group}”`,
    registers: 'Registers the person',
    withdraws: "Withdraws the person's registration",
    waitsForPlace: 'If all places are taken, sends the above and adds the person to the waiting list',
    jumps: (scenario) => `Continues in the scenario “${scenario}”`,
    takes: (variables) => `Takes along ${variables}`,
    seconds: plural('second'),
    minutes: plural('minute'),
    hours: plural('hour'),
    days: plural('day'),
    reasons: {
      category_not_auto: 'Scenarios of this category need the approval of a person.',
      has_triggers:
        'It starts automatically by a follow, a keyword or another text, so a person must approve it.',
    },
    follow: 'When a person follows the account, at most once a day',
    otherwise: 'When a person writes what no conversation and no keyword takes, at most once an hour',
    keyword: (text) => `When a person types “${text}”`,
    noTriggers: 'Not automatically: started by systems and members of the unit, or by buttons of messages',
    jumpsCost: 'Includes the cost of jumps to other scenarios.',
    roundsCost:
      'Answers can lead to another round: this is the cost of one, and each further round costs the same.',
    farewell: {
      when:
        'When the unit retires the scenario, people with an open conversation receive this text, without ' +
        'another approval.',
      cost: 'Retiring the scenario costs one more for each open conversation.',
    },
    late: (time) => `At most ${time} late; after that it is skipped`,
    staysPaused: 'The scenario is paused. It stays paused after an approval until its unit resumes it.',
  },
}
