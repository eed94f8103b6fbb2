import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { messageIdHeader } from '../../../src/channels/email/message.ts'
import { adapters } from '../../../src/channels/index.ts'
import { foundKinds } from '../../../src/db/queries/trace/find-id.ts'
import { traceNamed } from '../../../src/services/trace/named.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { forSends } from '../../fixtures/delivery.ts'
import { runUntilWait } from '../../fixtures/delivery-steps.ts'
import { insertHandoff, insertSpokenIn, openWith } from '../../fixtures/handoffs.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { renderingOn } from '../../fixtures/rendering.ts'
import { insertRow, selectRow, updateRows } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { insertSchedule } from '../../fixtures/schedule-rows.ts'
import { approvedSend } from '../../fixtures/sends.ts'

const { database, shared: fixture } = forSends()

const traced = async (named: string) =>
  (
    await traceNamed(
      { db: database.db, channels: adapters, rendering: renderingOn(database.db) },
      'operator:cli',
      named,
    )
  ).map(({ text }) => text)

/** A message that was sent to one person, with the call of the provider. */
async function sent() {
  const tag = await addRecipients(database.db, 1)
  const { id, waveId } = await approvedSend(fixture, tag)
  await runUntilWait(fixture, id)
  const { db } = database
  const call = await selectRow(db, 'call', { wave_id: waveId }, ['retry_key', 'request_id'])
  const uid = `${tag}-1`
  const subject = await db.selectFrom('subject').select('id').where('uid', '=', uid).executeTakeFirstOrThrow()
  return { id, waveId, uid, subjectId: subject.id, retryKey: call.retry_key, requestId: call.request_id! }
}

/** A run that said something to its person. */
async function told(traceId: string) {
  const { db } = database
  const scenario = await insertScenario(db)
  const runId = await insertScenarioRun(db, {
    scenario,
    columns: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  })
  const { subject_id: subjectId } = await scenarioRunRow(db, runId)
  const turn = await insertRow(db, 'turn', {
    ...{ run_id: runId, number: 1, first_node: 'ask', last_node: 'ask', subject_id: subjectId },
    ...{ unit_id: scenario.unitId, answers_person: false, locale: 'zh-TW', state: 'sent', channel: 'chat' },
    ...{ by: 'push', retry_key: randomUUID(), request_id: randomUUID(), closed_at: new Date() },
  })
  return { scenario, runId, subjectId: subjectId!, turn }
}

it('finds a message by every name that somebody may have of it', async () => {
  const { id, waveId, uid, subjectId, retryKey, requestId } = await sent()
  const { db } = database
  const columns = { idempotency_key: `order-${uid}`, reference: `ref-${uid}` }
  const traceId = randomUUID().replaceAll('-', '')
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
  await updateRows(db, 'message', { id }, { ...columns, traceparent, body_hash: Buffer.alloc(32) })
  const readOn = `Read on: carillon message show ${id}`
  const message = [`Message ${id} of Registry: sent. ${readOn}`]
  for (const name of [id, id.toUpperCase(), `message/${id}`, ...Object.values(columns), traceId])
    expect(await traced(name), name).toEqual(message)
  expect(await traced(waveId)).toEqual([`Wave ${waveId} of Registry: sent. ${readOn}`])
  const call = `A call to a provider of Registry: accepted, 1 recipients. Read on: carillon trace ${id} <uid>`
  for (const name of [retryKey, requestId]) expect(await traced(name), name).toEqual([call])
  const header = messageIdHeader({ waveId, subjectId }, 'hub@mail.example.edu')
  const explained = await traced(header)
  expect(explained).toContain('The audience included this person.')
  expect(await traced(header.slice(1, -1))).toEqual(explained)
})

it('finds a run by its turns, its names in Temporal and in traces, and by what the provider calls it', async () => {
  const traceId = randomUUID().replaceAll('-', '')
  const { runId, turn, subjectId } = await told(traceId)
  const explained = await traced(runId)
  const header = messageIdHeader({ waveId: turn.id, subjectId }, 'hub@example.edu')
  for (const name of [turn.id, `scenario/${runId}`, header])
    expect(await traced(name), name).toEqual(explained)
  for (const name of [turn.retry_key!, turn.request_id!])
    expect(await traced(name), name).toEqual([
      expect.stringMatching(new RegExp(`^Turn ${turn.id} of .*: sent\\. Read on: carillon trace ${runId}$`)),
    ])
  expect(await traced(traceId)).toEqual([expect.stringMatching(`Read on: carillon trace ${runId}$`)])
})

it('lists the newest messages, runs and handoffs of a person, and says so in the audit log', async () => {
  const { id, uid, subjectId } = await sent()
  const { db } = database
  const scenario = await insertScenario(db)
  const runId = await insertScenarioRun(db, { scenario, columns: { subject_id: subjectId } })
  const handoffId = await insertHandoff(db, { unit_id: scenario.unitId, subject_id: subjectId })
  const lines = await traced(uid)
  expect(lines).toEqual([
    `Message ${id} of Registry: sent. Read on: carillon trace ${id} ${subjectId}`,
    expect.stringMatching(new RegExp(`^Run ${runId} of .*: running\\. Read on: carillon trace ${runId}$`)),
    expect.stringMatching(
      new RegExp(`^Handoff ${handoffId} of .*: open\\. Read on: carillon trace ${handoffId}$`),
    ),
    `Subject ${subjectId}: these are the newest messages, runs and handoffs, at most 20 of each.`,
  ])
  expect(await traced(subjectId)).toEqual(lines)
  const audited = db.selectFrom('audit').select(['action', 'details']).where('object_id', '=', subjectId)
  const read = { action: 'read', details: { what: 'trace' } }
  expect(await audited.execute()).toEqual([read, read])
  const { code, out } = await runCarillon({ DATABASE_URL: database.url }, 'trace', uid)
  expect([code, out]).toEqual([0, expect.stringContaining(`Message ${id} of Registry`)])
})

it('says what everything else is, and where to read on', async () => {
  const { db } = database
  const unitId = fixture.unit.id
  const { id: messageId } = await sent()
  const { scenario, runId } = await told(randomUUID().replaceAll('-', ''))
  const scheduleId = await insertSchedule(db, {
    columns: { idempotency_key: 'weekly-1', body_hash: Buffer.alloc(32) },
  })
  const idOf = async (row: Promise<{ id: string }>) => (await row).id
  const ofUnit = { unit_id: unitId }
  const occurrence = await idOf(
    insertRow(db, 'occurrence', {
      schedule_id: scheduleId,
      key: 'k',
      due_at: new Date(),
      plan: 0,
      outcome: 'created',
      message_id: messageId,
    }),
  )
  const start = await idOf(
    db
      .insertInto('scenario_start')
      .values({ scenario_id: scenario.id, actor: 'key:test', idempotency_key: 'start-1', variables: '{}' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const pattern = await idOf(
    insertRow(db, 'pattern', {
      ...{ unit_id: scenario.unitId, scenario_id: scenario.id, type: 'survey', title: '{"zh-TW":"問卷"}' },
      ...{ questions: '[]', deadline: new Date(), waiting_list: false, created_by: 'key:test' },
    }),
  )
  const event = await idOf(
    insertRow(db, 'event', {
      ...{
        source: 'sis',
        event_id: 'grade-1',
        type: 'grade.posted',
        occurred_at: new Date(),
        key_id: 'new',
      },
      ...{ subject_uids: [], data: '{}', next_try_at: new Date(), message_id: messageId, ...ofUnit },
    }),
  )
  const binding = await idOf(
    db.insertInto('event_binding').values(ofUnit).returning('id').executeTakeFirstOrThrow(),
  )
  const tap = await idOf(
    insertRow(db, 'webhook_event', {
      ...{ channel: 'chat', event_id: 'tap-1', type: 'postback', address: null, outcome: 'answered' },
      ...{ occurred_at: new Date(), done_at: new Date(), payload: '{}' },
    }),
  )
  await db
    .insertInto('scenario_answer')
    .values({ run_id: runId, node: 'ask', option_id: 'yes', webhook_event_id: tap })
    .execute()
  const handoff = await openWith(db, unitId)
  await insertSpokenIn(db, handoff, '您好')
  await updateRows(db, 'handoff', { id: handoff.id }, { conversation_id: 'conversation-1' })
  const category = await selectRow(db, 'category', { id: 'auto' }, ['id'])
  const template = await idOf(
    insertRow(db, 'template', { ...ofUnit, category_id: category.id, name: 'Welcome' }),
  )
  const group = await idOf(
    insertRow(db, 'subject_group', { ...ofUnit, name: 'Choir', kind: 'static', legal_basis: 'consent' }),
  )
  const topic = await idOf(insertRow(db, 'topic', { ...ofUnit, name: '{"zh-TW":"講座"}' }))
  const callback = await idOf(
    insertRow(db, 'callback', {
      ...{ ...ofUnit, url: 'https://sis.example.edu/hub', description: '', types: ['message.closed'] },
      ...{ secret: Buffer.alloc(32), created_by: 'key:test', url_by: 'key:test' },
    }),
  )
  const callbackDelivery = await idOf(
    insertRow(db, 'callback_delivery', {
      callback_id: callback,
      message_id: messageId,
      type: 'message.closed',
      state: 'sent',
      version: 1,
      next_try_at: new Date(),
    }),
  )
  const imported = await idOf(
    db
      .insertInto('import')
      .values({ ...ofUnit, actor: 'key:test', format: 'csv', state: 'completed', finished_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const person = fixture.approver.personId
  const notice = await selectRow(db, 'notice', { message_id: messageId }, ['id'])
  const key = await db.selectFrom('producer_key').select('id').executeTakeFirstOrThrow()

  const show = `carillon message show ${messageId}`
  const expected: [name: string, text: string][] = [
    [scenario.id, `Scenario ${scenario.id} of`],
    [scenario.id, `Read on: carillon run list ${scenario.id}`],
    [start, `Read on: carillon run list ${scenario.id}`],
    ['start-1', `A call that started runs, ${start} of`],
    [pattern, `Read on: carillon run list ${scenario.id}`],
    [`schedule/${scheduleId}`, `Read on: GET /v1/schedules/${scheduleId}/occurrences`],
    ['weekly-1', `Schedule ${scheduleId} of`],
    [occurrence, `: created. Read on: ${show}`],
    [event, `Event ${event} of Registry: message. Read on: ${show}`],
    ['grade-1', `Event ${event} of Registry: message. Read on: ${show}`],
    [binding, `Event binding ${binding} of Registry. Read on: GET /v1/event-bindings/${binding}`],
    [tap, `Event of a channel ${tap}: postback, answered. Read on: carillon trace ${runId}`],
    ['tap-1', `Read on: carillon trace ${runId}`],
    ['conversation-1', `Read on: carillon trace ${handoff.id}`],
    [template, `Template ${template} of Registry. Read on: GET /v1/templates/${template}`],
    [group, `Group ${group} of Registry: static. Read on: GET /v1/groups/${group}`],
    [topic, `Topic ${topic} of Registry: active. Read on: GET /v1/topics`],
    [callback, `Callback ${callback} of Registry. Read on: GET /v1/callbacks/${callback}/deliveries`],
    [callbackDelivery, `Delivery of a callback ${callbackDelivery} of Registry: pending. Read on: ${show}`],
    [imported, `Import ${imported} of Registry: completed. Read on: GET /v1/imports/${imported}`],
    [notice.id, `Read on: carillon trace ${messageId}`],
    [unitId, `Unit ${unitId} of Registry. Read on: carillon member list ${unitId}`],
    [person, `Person on the staff ${person}. Read on: carillon member list <unit>`],
    [key.id, `Key of a producer ${key.id} of`],
  ]
  for (const [name, text] of expected) {
    const lines = await traced(name)
    expect(lines, `${name}: ${lines}`).toEqual([expect.stringContaining(text)])
  }
  // With message, wave, call and turn, of the tests above, these are all kinds.
  expect(foundKinds).toHaveLength(23)
})

it('of what nobody knows, says where else to look', async () => {
  for (const name of [
    randomUUID(),
    'no-id',
    randomUUID().replaceAll('-', ''),
    `<${randomUUID()}.${randomUUID()}@x>`,
  ])
    await expect(traced(name)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('RunId'),
    })
})
