import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { insertAnswer, insertDoNotRemind } from '../../../src/db/queries/answer/answer.ts'
import { cancelMessage } from '../../../src/services/messages/transitions.ts'
import { trace } from '../../../src/services/trace/trace.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { forSends } from '../../fixtures/delivery.ts'
import { runUntilWait } from '../../fixtures/delivery-steps.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { auditRows, selectRow, updateRows } from '../../fixtures/rows.ts'
import { approvedSend } from '../../fixtures/sends.ts'

const { database, shared: fixture } = forSends()

const traceLines = async (messageId: string, uid: string) =>
  (await trace(database.db, 'operator:cli', messageId, uid)).map(({ text }) => text.en)

async function subjectId(uid: string): Promise<string> {
  const row = await selectRow(database.db, 'subject', { uid }, ['id'])
  return row.id
}

it('a trace shows a recipient: who approved the send, the call, and the answer', async () => {
  const tag = await addRecipients(database.db, 2)
  const { id } = await approvedSend(fixture, tag)
  await runUntilWait(fixture, id)
  const one = await subjectId(`${tag}-1`)
  await insertAnswer(database.db, {
    messageId: id,
    subjectId: one,
    ...{ question: '0', n: 0, o: '1', optionId: 'yes', data: null, at: null },
    channel: 'chat',
  })
  await insertDoNotRemind(database.db, id, one)
  const steps = await traceLines(id, `${tag}-1`)
  expect(steps).toContain('approve by Approver, the message is approved')
  const ofThem = steps
    .slice(steps.indexOf('The audience included this person.'))
    .filter((text) => !/^(start|finish) by/.test(text))
  expect(ofThem).toEqual([
    'The audience included this person.',
    expect.stringMatching(/^Assigned to chat batch \d with 1 member\.$/),
    expect.stringMatching(
      /^Call to the chat provider, 1 try: accepted \(retry key .*, the provider's request id request-\d\)\.$/,
    ),
    'Sent by chat.',
    'The person answered yes by chat.',
    'The person asked not to be reminded.',
  ])
})

it('a trace names a button by its words, unless the message is personal', async () => {
  const tag = await addRecipients(database.db, 1)
  const { id } = await approvedSend(fixture, tag)
  await runUntilWait(fixture, id)
  const options = [{ label: { 'zh-TW': '我要參加' }, id: 'yes' }]
  const frozen = [{ kind: 'quickReply', text: { 'zh-TW': '參加嗎？' }, options }]
  await updateRows(database.db, 'message_content', { message_id: id }, { frozen: JSON.stringify(frozen) })
  await insertAnswer(database.db, {
    messageId: id,
    subjectId: await subjectId(`${tag}-1`),
    ...{ question: '0', n: 0, o: '0', optionId: '1.1', data: null, at: null },
    channel: 'chat',
  })
  expect(await traceLines(id, `${tag}-1`)).toContain('The person answered “我要參加” (1.1) by chat.')
  await database.db.updateTable('message').set({ kind: 'personal' }).where('id', '=', id).execute()
  expect(await traceLines(id, `${tag}-1`)).toContain('The person answered 1.1 by chat.')
})

it('a trace shows why a person was not sent to', async () => {
  const tag = await addRecipients(database.db, 3)
  const two = await subjectId(`${tag}-2`)
  await updateRows(database.db, 'address', { subject_id: two }, { blocked_at: new Date() })
  const { id } = await approvedSend(fixture, tag)
  expect(await traceLines(id, `${tag}-1`)).toContain('Not sent yet. As of now, this person will receive it.')
  expect((await traceLines(id, `${tag}-2`)).at(-1)).toContain(
    'will not receive it: the person had blocked the account',
  )
  fixture.provider.next({ kind: 'refused', code: 'bad_request' })
  await runUntilWait(fixture, id)
  expect(await traceLines(id, `${tag}-2`)).toContainEqual(
    expect.stringMatching(/^Not sent by chat: the person had blocked/),
  )
  expect(await traceLines(id, 'student-1')).toContainEqual(
    expect.stringMatching(
      /none was for this person\. As of now, the audience does not include them either\.$/,
    ),
  )
})

it('a trace shows a pending reminder, and what was done about it', async () => {
  const tag = await addRecipients(database.db, 1)
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const { id } = await approvedSend(fixture, tag, { remindAt: inMinutes(5), expiresAt: inMinutes(9) })
  await runUntilWait(fixture, id)
  expect((await traceLines(id, `${tag}-1`)).at(-1)).toMatch(/^A reminder is due at /)
  await cancelMessage(fixture.services, fixture.approver, id)
  expect((await traceLines(id, `${tag}-1`)).at(-1)).toBe('cancel by Approver (the reminder)')
})

it('a trace shows a message that ended before anything was sent, and rows past their retention', async () => {
  const tag = await addRecipients(database.db, 1)
  const ended = await approvedSend(fixture, tag)
  await cancelMessage(fixture.services, fixture.approver, ended.id)
  await runUntilWait(fixture, ended.id)
  expect(await traceLines(ended.id, `${tag}-1`)).not.toContainEqual(expect.stringMatching(/^Not sent yet/))
  const old = await approvedSend(fixture, tag)
  await runUntilWait(fixture, old.id)
  await database.db.updateTable('wave').set({ purged_at: new Date() }).where('id', '=', old.waveId).execute()
  expect(await traceLines(old.id, `${tag}-1`)).toContainEqual(
    expect.stringMatching(/^The deliveries of this send have been purged/),
  )
})

it('a trace of an unknown message or person is an error', async () => {
  const { id } = await approvedSend(fixture, await addRecipients(database.db, 1))
  await expect(trace(database.db, 'operator:cli', 'no-id', 'student-1')).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(trace(database.db, 'operator:cli', id, 'nobody')).rejects.toMatchObject({ code: 'not_found' })
})

it('a trace shows a delivery before the end of its send, within the same millisecond', async () => {
  const tag = await addRecipients(database.db, 1)
  const { id } = await approvedSend(fixture, tag)
  await runUntilWait(fixture, id)
  const end = database.db.selectFrom('audit').select('at').where('object_id', '=', id)
  await database.db
    .updateTable('wave')
    .set({ finished_at: end.where('action', '=', 'finish') })
    .where('message_id', '=', id)
    .execute()
  expect((await traceLines(id, `${tag}-1`)).slice(-2)).toEqual([
    'Sent by chat.',
    'finish by Carillon, the message is sent',
  ])
})

it('carillon trace prints it, a line for each step', async () => {
  const tag = await addRecipients(database.db, 1)
  const { id } = await approvedSend(fixture, tag)
  await runUntilWait(fixture, id)
  const { code, out } = await runCarillon({ DATABASE_URL: database.url }, 'trace', id, `${tag}-1`)
  expect(code).toBe(0)
  expect(out).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}create by /)
  expect(out).toMatch(/Z {2}Sent by chat\.\n.*Z {2}finish by Carillon, the message is sent\n$/)
})

it('a send finishes after its deliveries, though its wave and its move each have a clock', async () => {
  const tag = await addRecipients(database.db, 1)
  const { id } = await approvedSend(fixture, tag)
  await runUntilWait(fixture, id)
  await sql`update wave set finished_at = finished_at + interval '2 milliseconds' where message_id = ${id}`.execute(
    database.db,
  )
  const { out } = await runCarillon({ DATABASE_URL: database.url }, 'trace', id, `${tag}-1`)
  expect(out).toMatch(/Z {2}Sent by chat\.\n.*Z {2}finish by Carillon, the message is sent\n$/)
})

it('a trace is in the audit log of the unit whose message it is about', async () => {
  const tag = await addRecipients(database.db, 1)
  const { id } = await approvedSend(fixture, tag)
  await runCarillon({ DATABASE_URL: database.url }, 'trace', id, `${tag}-1`)
  const rows = await auditRows(
    database.db,
    await subjectId(`${tag}-1`),
    'unit_id',
    'actor',
    'action',
    'object_kind',
    'details',
  )
  expect(rows).toEqual([
    {
      unit_id: fixture.unit.id,
      actor: 'operator:cli',
      action: 'read',
      object_kind: 'subject',
      details: { what: 'trace' },
    },
  ])
})
