import type { Duplicate, EmptyBody, Needed, Reserved, Unexpected } from '../../../contract/rules/fields.ts'
import type { Target } from '../../../contract/rules/objects.ts'
import type { LiquidFree } from '../../../contract/rules/texts.ts'
import type { Earlier } from '../../../contract/rules/times.ts'
import type { Choice, Expected, Format, Missing, Unit } from '../../../contract/rules/values.ts'

/** What is missing, where it is more than the field. */
export const missingWords: Record<Missing, string> = {
  scope: '請填寫同意的範圍',
  legal_basis: '請填寫保存這份名單的依據',
  query: '請填寫這個動態群組的條件',
  column: '檔案缺少這個欄位',
  header: '檔案的第一行必須是欄位名稱',
  whole_content: '修改內容時，必須提供整個情境',
  shown_version: '請指明要決定的版本',
  variable_title: '標題含有變數，請另外填寫行事曆的標題',
  capacity: '請先填寫名額，才能開放候補',
}

export const typeWords: Record<Expected, string> = {
  string: '請填寫文字',
  number: '請填寫數字',
  integer: '請填寫整數',
  boolean: '請選擇「是」或「否」',
  array: '必須是清單',
  object: '格式不正確，請依說明文件修改',
  json_object: '格式不正確，必須是 JSON 物件',
}

export const formatWords: Record<Format, string> = {
  datetime: '請填寫完整的日期與時間',
  time: '請填寫時刻，例如 22:00',
  month: '請填寫年月，例如 2026-12',
  time_zone: '請填寫時區名稱，例如 Asia/Taipei',
  cron: '重複的時間格式不正確，例如 0 9 * * 1-5',
  cron_fields: '重複的時間必須有五個欄位：分、時、日、月、星期，例如 0 9 * * 1-5',
  url: '請填寫完整的網址，例如 https://example.edu',
  url_or_variable: '請填寫完整的網址，或使用變數',
  origin: '請填寫網站位址，例如 https://orders.example.edu，不含路徑',
  path: '必須是本站的路徑，例如 /messages',
  host: '主機名稱不正確',
  email: '請填寫電子郵件地址',
  reply_address: '請填寫郵件伺服器接受的地址，例如 office@example.edu',
  chat_address: '不是有效的聊天帳號',
  email_address: '不是有效的電子郵件地址',
  uuid: '編號的格式不正確',
  name: '請用 1 到 64 個英文字母、數字、底線或連字號',
  category_id: '請用英文字母與數字，可用連字號、底線或句點分隔',
  variable: '請用英文字母、數字與底線，而且不能以數字開頭',
  variable_path: '請填寫變數的名稱，或它的欄位，例如 order.total',
  version: '請填寫版本的號碼',
  uid: '最多 100 個字，不可有空白或控制字元',
  uid_line: '每行只能有一個編號，而且不能太長',
  event_source: '最多 100 個字，不可有空白或斜線',
  tag: '請用英文寫成「分類:標籤」，不可有空白',
  acquisition: '不是可用的來源',
  cursor: '這一頁的連結已失效，請從第一頁開始',
  keyword: '請至少填寫一個看得見的字',
  picture: '請使用 JPEG、PNG 或 WebP 圖檔',
  utf8: '檔案必須以 UTF-8 編碼儲存',
  json_utf8: '內容必須是以 UTF-8 編碼的 JSON',
  request: '請求的格式不正確',
  http: '請求的格式不正確',
}

/** Before the names that may be chosen. */
export const choiceWords: Record<Choice, string> = {
  columns: '欄位只能是',
  channels: '請選擇這則訊息使用的管道：',
  template_variables: '範本沒有這個欄位，可用的是：',
  scenario_variables: '情境沒有這個變數，可用的是：',
  node_kinds: '只能用在這幾種步驟：',
}

/** What stands behind a number. */
export const unitWords: Record<Unit, string> = {
  characters: '個字',
  characters_before_at: '個字（@ 之前）',
  entries: '個',
  columns: '欄',
  pixels: '像素',
  values: '個值',
  variables: '個變數',
  answers: '個回答',
  lookups: '筆查詢結果',
  attributes: '個屬性',
  categories: '個類別',
  topics: '個訂閱主題',
}

export const withoutWords: Record<Needed, string> = {
  remindAt: '請填寫提醒時間，或不要選擇提醒對象',
  remindAfterSeconds: '請填寫多久之後提醒，或不要選擇提醒對象',
  templateId: '請先選擇範本，或不要填寫範本欄位',
}

export const unexpectedWords: Record<Unexpected, string> = {
  survey: '問卷沒有名額，請不要填寫',
  unlimited: '目前不限名額，不能再減少，請不要填寫',
  mandatory: '必要通知不能退訂，因此不能屬於任何訂閱主題',
  template: '已選擇範本，不能同時指定情境',
  template_subject: '範本有自己的主旨，請不要填寫',
  no_scenario: '沒有指定情境時，請不要填寫',
  makes_messages: '這個排程只會產生訊息；要啟動情境，請另建排程',
  starts_scenario: '這個排程只會啟動情境；要產生訊息，請另建排程',
  static_group: '只有動態群組才有條件，請不要填寫',
  dynamic_group: '只有固定名單才有上層群組，請不要填寫',
  json_body: '內容已寫明加入與移除的人，請不要再指定動作',
  lookup: '事件不可有這個欄位，請移除',
  not_activated: '送審時才能指定承辦人，請不要填寫',
  no_pattern: '只有報名與問卷有承辦人，請不要填寫',
  change_of_state: '結束語是內容的一部分，不能在變更狀態時一起修改',
}

export const givenWords: Record<EmptyBody, string> = {
  fields: '請至少修改一個欄位',
  deadline_or_capacity: '請填寫截止時間或名額',
  content_or_state: '請提供完整內容或新的狀態',
  tags: '請至少加入或移除一個標籤',
  roles: '請至少加入或移除一個角色',
  members: '請指定要加入或移除的人',
  address_or_message: '請提供地址或郵件編號',
}

export const takenWords: Record<Duplicate, string> = {
  unit: '已有另一個單位使用這個名稱，請換一個',
  person: '已有另一個人使用這個地址，請修改那個人的資料',
  category: '已有另一個類別使用這個編號，請換一個',
  origin: '這個位址已經登記過了',
  source: '這個來源已由另一個單位使用',
  signed_source: '這個來源的事件由另一個單位的金鑰簽署',
}

export const reservedWords: Record<Reserved, (names: string) => string> = {
  key: (names) => `「${names}」不能當作名稱，請換一個`,
  node: (names) => `「${names}」已由系統使用，請換一個編號`,
  skip: (names) => `「${names}」代表略過這一題，請換一個編號`,
  exit_keyword: (names) => `${names} 是結束對話的關鍵字，請改用其他的字`,
  settings_keyword: (names) => `${names} 是打開通知設定的關鍵字，請改用其他的字`,
  variables: (names) => `${names} 由系統填入，請移除`,
  variable: (names) => `「${names}」由系統填入，請移除`,
  sent_variable: (names) => `「${names}」與系統加上的欄位名稱相同，請換一個變數名稱`,
  query: (names) => `網址中有與「${names}」相同的名稱，請移除或換一個名稱`,
}

export const earlierWords: Record<Earlier, string> = {
  start: '開始時間',
  scheduleAt: '發送時間',
  sendTime: '發送時間',
}

export const liquidWords: Record<LiquidFree, string> = {
  calendar: '行事曆不能使用變數，請直接寫出文字',
  farewell: '結束語不能使用變數，請直接寫出文字',
  address: '網址不能使用變數，請改用要傳送的變數欄位',
}

export const targetWords: Record<Target, string> = {
  person: '找不到這個人，請重新選擇',
  member: '這個人不是單位的成員，請重新選擇',
  category: '找不到這個類別，請重新選擇',
  unit: '找不到這個單位，請重新選擇',
  enabled_category: '這個類別不存在或已停用，請改選其他類別',
  listed_category: '這個類別不能選擇，請重新整理頁面',
  listed_topic: '這個訂閱主題不能選擇，請重新整理頁面',
  topic: '這個單位沒有這個訂閱主題，請重新選擇',
  template: '這個單位沒有這個範本，請重新選擇',
  scenario: '這個單位沒有這個情境，請重新選擇',
  static_group: '這個單位沒有這份固定名單，請重新選擇',
  key: '這個單位沒有這把有效的金鑰',
  signing_key: '沒有這把簽署金鑰，請洽系統管理員',
  endpoint_key: '這個位址的簽署金鑰尚未設定，請洽系統管理員',
}
