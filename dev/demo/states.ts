import type { CreatedMessage, CreateMessage } from '../../src/contract/messages/create.ts'
import { categories } from './catalogue.ts'
import { type Caller, call, createOnce, submitOnce } from './send.ts'

const dayMs = 86_400_000

/** Messages as an office finds them on its list: one in each state that needs nobody to fail. */
export async function ensureStates(editor: Caller, approver: Caller): Promise<void> {
  await createOnce(editor, 'demo-club-fair', notice(clubFair))
  const scheduled = await submitOnce(editor, 'demo-library', notice(library, 3))
  await decide(approver, scheduled, 'approve')
  const paused = await submitOnce(editor, 'demo-water', notice(water, 5))
  if (await decide(approver, paused, 'approve')) await act(editor, paused, 'pause')
  const cancelled = await submitOnce(editor, 'demo-lecture', notice(lecture, 7))
  if (await decide(approver, cancelled, 'approve')) await act(editor, cancelled, 'cancel')
  const rejected = await submitOnce(editor, 'demo-survey', notice(survey))
  await decide(approver, rejected, 'reject', { reason: '請補上截止日期與聯絡窗口。', version: 2 })
}

/** Decides about a message that was created just now; on a later start it is as people have left it. */
async function decide(
  approver: Caller,
  message: CreatedMessage,
  verb: 'approve' | 'reject',
  body: object = {},
): Promise<boolean> {
  if (!message.created) return false
  await call(approver, 'POST', `/v1/messages/${message.id}/${verb}`, body)
  return true
}

function act(editor: Caller, { id }: CreatedMessage, verb: 'pause' | 'cancel'): Promise<unknown> {
  return call(editor, 'POST', `/v1/messages/${id}/${verb}`)
}

type Notice = { title: { 'zh-TW': string; en: string }; text: { 'zh-TW': string; en: string } }

/** To all students. `inDays`: when it is sent; omitted: at approval. */
function notice({ title, text }: Notice, inDays?: number): CreateMessage {
  return {
    categoryId: categories.academic.id,
    audience: { kind: 'query', roles: ['student'] },
    subject: title,
    messages: [{ kind: 'text', text }],
    ...(inDays && { scheduleAt: new Date(Date.now() + inDays * dayMs).toISOString() }),
  }
}

const clubFair: Notice = {
  title: { 'zh-TW': '社團博覽會擺攤登記', en: 'Stands at the club fair' },
  text: {
    'zh-TW': '社團博覽會將於下個月舉行，請各社團於月底前登記攤位。',
    en: 'The club fair is next month. Clubs, please register your stand by the end of this month.',
  },
}
const library: Notice = {
  title: { 'zh-TW': '期末考週圖書館延長開放', en: 'Library open late in exam week' },
  text: {
    'zh-TW': '期末考週圖書館每天開放至凌晨一點，請攜帶學生證。',
    en: 'In exam week the library is open until one in the morning. Please bring your student card.',
  },
}
const water: Notice = {
  title: { 'zh-TW': '宿舍停水通知', en: 'No water in the dormitories' },
  text: {
    'zh-TW': '宿舍因管線維修，週六上午八點至中午停水，請提早儲水。',
    en: 'Because of repairs there is no water in the dormitories on Saturday from eight to noon.',
  },
}
const lecture: Notice = {
  title: { 'zh-TW': '大師講座：海洋與氣候', en: 'Lecture: oceans and climate' },
  text: {
    'zh-TW': '講者因故無法到校，講座改期，時間另行公告。',
    en: 'The speaker cannot come. The lecture is postponed; the new date will be announced.',
  },
}
const survey: Notice = {
  title: { 'zh-TW': '教學意見調查', en: 'Course survey' },
  text: {
    'zh-TW': '請填寫本學期的教學意見調查。',
    en: 'Please fill in the survey about this term’s courses.',
  },
}
