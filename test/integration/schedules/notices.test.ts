import { expect, it } from 'vitest'
import { insertScheduleNotices } from '../../../src/db/queries/message/notice.ts'
import { sendNextNotice } from '../../../src/services/notices/send.ts'
import { startApi } from '../../fixtures/api.ts'
import { contentFor } from '../../fixtures/cleared.ts'
import { newSchedule } from '../../fixtures/new-schedule.ts'
import { sendNotices } from '../../fixtures/notice-mails.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

async function mailsAbout(reason: 'refused' | 'failed' | 'switched_off', language: 'zh-TW' | 'en') {
  const { db } = api.database
  const { id } = (await api.call('createSchedule', { key: api.keys.a, body: newSchedule })).body
  const dueAt = new Date('2026-11-23T01:00:00Z')
  const error = JSON.stringify({ code: 'topic_inactive', message: 'The topic is inactive.' })
  await db
    .insertInto('occurrence')
    .values({ schedule_id: id, key: 'k', due_at: dueAt, plan: 1, outcome: 'failed', error })
    .execute()
  await db.updateTable('person').set({ language }).execute()
  await db
    .transaction()
    .execute((trx) => insertScheduleNotices(trx, { id, unitId: api.units.a, version: 2 }, reason))
  const mails = await sendNotices(sendNextNotice, api.services)
  return mails.map(({ content }) => JSON.stringify(contentFor(content)))
}

it('approvers are mailed what was not carried out, when and why, in their language', async () => {
  const [mail, ...others] = await mailsAbout('failed', 'en')
  expect(others).toEqual([]) // the unit has one approver
  for (const text of ['Schedule not executed', newSchedule.name, 'Nov 23, 2026', 'topic_inactive'])
    expect(mail).toContain(text)
  expect(mail).toContain('https://hub.example.edu/docs/api/schedules')
})

it.each([
  ['refused', '權限不足'],
  ['switched_off', '已停用'],
] as const)('a mail about an occurrence that was %s says so in Chinese', async (reason, text) => {
  const [mail] = await mailsAbout(reason, 'zh-TW')
  expect(mail).toContain(text)
  expect(mail).toContain('排程未執行')
})
