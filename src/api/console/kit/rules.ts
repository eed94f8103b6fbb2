import type { Locale } from '../../../contract/enums.ts'
import type { Broken, FactsOf, Rule } from '../../../contract/rules.ts'
import { numberOf } from './format.ts'
import {
  choiceWords,
  earlierWords,
  formatWords,
  givenWords,
  liquidWords,
  missingWords,
  reservedWords,
  takenWords,
  targetWords,
  typeWords,
  unexpectedWords,
  unitWords,
  withoutWords,
} from './rule-words.ts'

/** What a page says of a rule: a text, or a function of its facts. */
type Words<R extends Rule> = string | ((facts: FactsOf<R>) => string)

const count = (number: number) => numberOf('zh-TW', number)

/** Every rule as Chinese pages say it: what to do. */
export const ruleWords: { [R in Rule]: Words<R> } = {
  invalid: '內容不正確，請修改',
  missing: ({ reason }) => (reason ? missingWords[reason] : '還沒有填寫'),
  empty: ({ reason }) => (reason ? '不可為空；若不限類別，請整個省略' : '還沒有填寫'),
  wrong_type: ({ expected }) => typeWords[expected],
  wrong_format: ({ format }) => formatWords[format],
  wrong_media_type: ({ values }) => `檔案類型不正確，請用 ${values.join(' 或 ')}`,
  not_one_of: ({ values, of }) => (of ? `${choiceWords[of]}${values.join('、') || '無'}` : '請從清單中選擇'),
  not_https: '網址必須以 https:// 開頭',
  not_public: '網址必須能從網際網路連上，不能是內部的位址',
  has_credentials: '網址不可包含帳號或密碼',
  has_fragment: '網址不可包含 # 之後的部分',
  too_long: ({ limit, unit }) => most(limit, unitWords[unit]),
  too_short: ({ limit, unit }) => least(limit, unitWords[unit]),
  too_long_together: ({ limit, remedy }) =>
    `所有文字合計最多 ${count(limit)} 個字，請縮短${remedy === 'jump' ? '，或分成幾個情境' : '或分成幾則'}`,
  too_many: ({ limit, unit }) => most(limit, unitWords[unit]),
  too_few: ({ limit, unit }) => least(limit, unitWords[unit]),
  too_many_marks: ({ limit }) => `格式記號（粗體、連結、清單等）合計最多 ${count(limit)} 個，請減少格式`,
  too_large: ({ limit, unit }) => (unit ? most(limit, unit) : `最大為 ${count(limit)}`),
  too_small: ({ limit, reason }) =>
    reason === 'places' ? `名額不能減少，至少要 ${count(limit)}` : `至少要 ${count(limit)}`,
  too_deep: ({ limit }) => `資料最多 ${count(limit)} 層`,
  limit_reached: ({ limit }) => `已達上限（${count(limit)} 個），請先整理不再使用的項目`,
  inexact_number: '這個數字太大，請改以文字填寫',
  unstorable_text: '含有無法儲存的字元，請刪除後重新輸入',
  forbidden_key: ({ key }) => `不可使用${key === undefined ? '系統保留的名稱' : `名稱「${key}」`}`,
  invalid_key: '名稱不符規定，請換一個',
  object_as_length: '內容的格式不正確',
  too_slow: '這張圖片太複雜，無法處理，請換一張',
  unknown_field: ({ fields }) => `沒有這個欄位，請移除：${fields.join('、')}`,
  unknown_parameter: ({ fields }) => `沒有這個參數，請移除：${fields.join('、')}`,
  unexpected: (facts) => {
    if ('without' in facts) return withoutWords[facts.without]
    return 'reason' in facts ? unexpectedWords[facts.reason] : '這種排程沒有這個欄位，請移除'
  },
  not_exactly_one: ({ fields }) =>
    fields.includes('templateId') ? '請至少加入一段內容' : `只能填寫其中一項：${fields.join('、')}`,
  not_both: '範本與自己寫的內容只能擇一',
  nothing_given: ({ of }) => givenWords[of],
  added_and_removed: ({ of }) =>
    of === 'role' ? '同一個角色不能同時加入又移除' : '同一個人不能同時加入又移除',
  mismatch: ({ of }) =>
    ({ scope: '兩處填寫的同意範圍必須相同', category: '必須與情境的類別相同', unit: '情境不能換單位' })[of],
  repeated: (facts) => ('value' in facts ? `「${facts.value}」重複了，請刪除或改名` : '重複了，請只留一個'),
  taken: (facts) =>
    facts.of === 'topic' ? '這個單位已有同名的訂閱主題，請換一個名稱' : takenWords[facts.of],
  reserved: ({ values, of }) => reservedWords[of](values.join('、')),
  in_the_past: '必須晚於現在',
  not_after: ({ than }) => `必須晚於${earlierWords[than]}`,
  not_before: '必須早於「逾期不再發送」的時間',
  not_less: '提醒必須早於逾期',
  same_time: '開始與結束不能是同一時刻',
  too_far_ahead: ({ limit }) => `最多只能到 ${count(limit)} 天之後`,
  too_frequent: ({ limit }) => `兩次之間至少要隔 ${count(limit)} 分鐘，跨日也一樣`,
  no_such_day: '沒有這一天，請重新選擇日期',
  year_out_of_range: '年份不正確，請重新選擇日期',
  offset_too_large: '時區不正確，與世界標準時間最多相差 14 小時',
  too_precise: '時間太精細，秒最多到小數點後九位',
  unknown_time_zone: ({ value }) => `系統不認得時區「${value}」，請換一個名稱`,
  has_liquid: ({ of }) => liquidWords[of],
  invalid_template: ({ because }) => `變數的寫法不正確：${because['zh-TW']}`,
  unlisted_variable: ({ value }) => `請在欄位中加入「${value}」，或從文字中移除`,
  unknown_name: ({ value }) => `「${value}」在這裡沒有值，請移除或檢查拼字`,
  not_given_by_people: ({ because }) => because['zh-TW'],
  invisible_character: ({ value }) => `含有看不見的字元（${value}），請刪除後重新輸入`,
  answer_button: '回覆中的按鈕只能是連結，因為對方會直接打字回答',
  malformed_json: ({ line, column }) => `JSON 格式有誤：第 ${count(line)} 行第 ${count(column)} 字`,
  malformed_csv: ({ line, limit }) => {
    const at = line === undefined ? '' : `第 ${count(line)} 行：`
    return `檔案格式有誤，${at}${limit === undefined ? '請檢查引號' : `一筆資料最多 ${count(limit)} 位元組`}`
  },
  unknown_reference: ({ to }) => targetWords[to],
  not_a_static_group: '必須是這個單位的固定名單',
  inactive: ({ of }) =>
    ({
      topic: '這個訂閱主題已停用，請改選其他訂閱主題',
      scenario: '這個情境已結束，請改選其他情境',
      category: '這個類別已停用，請改選其他類別',
    })[of],
  mandatory_category: '這是必要通知，不能關閉',
  wider_than_plan: ({ values }) => `只能從類別的管道中選擇：${values.join('、')}`,
  no_dimension: ({ besides }) => (besides ? '請至少選擇一個條件，或選擇「所有人」' : '請至少選擇一個條件'),
  unknown_dimension: ({ values }) => `系統不認得這個條件：${values.join('、')}`,
  uid_not_named: '有人不在指定的名單中，請移除',
  query_with_scenario: '事件啟動情境時，對象只能是事件中的人',
  no_own_address: '您的帳號在這個管道還沒有地址，請系統管理員檢查您的帳號設定',
  no_question: '問卷至少要有一題',
  no_attendance: '第一題必須有「參加」的選項',
  not_skippable: '這一題決定誰會參加，不能略過',
  not_registered: ({ value }) => `請系統管理員先登記這個位址：${value}`,
  not_trackable: '系統尚未設定連結追蹤，請選擇直接連結，或洽系統管理員',
  last_administrator: '這是最後一位系統管理員，請先指派另一位',
}

function most(limit: number, unit: string): string {
  return `最多 ${count(limit)} ${unit}`
}

function least(limit: number, unit: string): string {
  return `至少要 ${count(limit)} ${unit}`
}

const number = (limit: number) => numberOf('en', limit)

/** Where English pages have a friendlier sentence than the API. */
const friendlier: { [R in Rule]?: (facts: FactsOf<R>) => string | undefined } = {
  missing: ({ values, type, reason }) => (values || type || reason ? undefined : 'is still empty'),
  empty: () => 'is still empty',
  wrong_format: ({ format }) =>
    format === 'url' ? 'Give the whole address, such as https://example.edu' : undefined,
  wrong_type: ({ expected }) => (expected === 'integer' ? 'Give a whole number' : undefined),
  too_long: ({ limit, unit }) => (unit === 'characters' ? `at most ${number(limit)} characters` : undefined),
  too_many: ({ limit, unit }) => (unit === 'entries' ? `at most ${number(limit)}` : undefined),
  too_large: ({ limit, unit }) => (unit ? undefined : `at most ${number(limit)}`),
  too_short: ({ limit }) => `at least ${number(limit)}`,
  too_few: ({ limit }) => `at least ${number(limit)}`,
  too_small: ({ limit, reason }) => (reason ? undefined : `at least ${number(limit)}`),
  no_dimension: ({ besides }) => (besides ? 'Choose at least one condition, or everybody' : undefined),
  unexpected: (facts) =>
    'without' in facts && facts.without === 'remindAt'
      ? 'Give a time for the reminder, or choose nobody to remind'
      : undefined,
  not_after: ({ than }) => (than === 'start' ? 'must be later than the beginning' : undefined),
  not_exactly_one: ({ fields }) => (fields.includes('templateId') ? 'Add at least one part' : undefined),
}

/** What a broken rule asks for, in the language of a page. */
export function ruleText(locale: Locale, broken: Broken): string {
  // The entry of a rule takes the facts of that rule, which the compiler cannot follow through an index.
  type Wording = string | ((facts: Broken) => string | undefined) | undefined
  const words = (locale === 'en' ? friendlier : ruleWords)[broken.rule] as Wording
  return (typeof words === 'function' ? words(broken) : words) ?? broken.message
}
