import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../../src/contract/endpoints.ts'
import { readApprovalQueue } from '../../../src/db/queries/message/message.ts'
import { takeNotice } from '../../../src/db/queries/message/notice.ts'
import { listParked } from '../../../src/db/queries/run/parked.ts'
import { findNamed } from '../../../src/db/queries/trace/find-id.ts'
import { applyMove, lockMessage } from '../../../src/services/messages/move.ts'
import { startApi } from '../../fixtures/api.ts'
import { createMessage } from '../../fixtures/new-message.ts'
import { freezeClock } from '../../harness/clock.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

/** Messages whose time is over, and whose runs have not moved their rows: Temporal may be down. */
const api = forFile(startApi)

const states = ['draft', 'submitted', 'approved', 'paused'] as const
type Expirable = (typeof states)[number]

/** A message in this state, with a reminder, whose time is ahead. */
async function make(state: Expirable, parts: object = {}): Promise<string> {
  const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const times = { scheduleAt: ahead(1), remindAt: ahead(2), expiresAt: ahead(3) }
  const { body } = await createMessage(api, { categoryId: 'manual', ...times, ...parts })
  const { id } = body
  if (state === 'draft') return id
  await api.call('submitMessage', { key: api.keys.a, id })
  if (state !== 'submitted') await api.call('approveMessage', { session: api.sessions.approver, id })
  if (state === 'paused') await api.call('pauseMessage', { session: api.sessions.editor, id })
  return id
}

/** Its reminder waits or is paused, after the message was sent. */
async function makeReminder(state: 'waiting' | 'paused'): Promise<string> {
  const { db } = api.database
  const id = await make('approved')
  await db.updateTable('message').set({ state: 'sent' }).where('id', '=', id).execute()
  const waves = db.updateTable('wave').where('message_id', '=', id)
  await waves.set({ state: 'sent' }).where('number', '=', 0).execute()
  await waves.set({ state }).where('number', '=', 1).execute()
  return id
}

async function over(id: string): Promise<string> {
  await sql`update message set expires_at = clock_timestamp() where id = ${id}`.execute(api.database.db)
  return id
}

/** What the run does some seconds later. */
async function moved(id: string): Promise<void> {
  await api.database.db.transaction().execute(async (trx) => {
    await applyMove(trx, await lockMessage(trx, id), 'expire', { actor: 'system:run', byRun: true })
  })
}

const detailOf = async (id: string, session = api.sessions.approver) =>
  (await api.call('getMessage', { session, id })).body
const idsIn = async (state: string[]) => {
  const query = { state, limit: '200' }
  const { body } = await api.call('listMessages', { key: api.keys.a, query })
  return (body.items as { id: string }[]).map(({ id }) => id)
}

/** The calls that change a message. */
const calls: [OperationId, object?][] = [
  ['editMessage', { expiresAt: null }],
  ['submitMessage'],
  ['approveMessage'],
  ['rejectMessage', { reason: 'no' }],
  ['cancelMessage'],
  ['pauseMessage'],
  ['resumeMessage'],
  ['stopMessage'],
  ['retryMessage'],
]

/** What every call answers to one who may make it, without the moment of the last change. */
async function answersOf(id: string) {
  const answers = []
  for (const [operation, body] of calls) {
    const decides = operation === 'approveMessage' || operation === 'rejectMessage'
    const session = decides ? api.sessions.approver : api.sessions.editor
    const { status, body: answer } = await api.call(operation, { session, id, body })
    const { at: _, ...details } = answer.error?.details ?? {}
    answers.push([operation, status, answer.error?.code, answer.error?.message, details])
  }
  return answers
}

/** The detail and the item of a list, without what only the move writes. */
async function shownOf(id: string) {
  const { version: _, timeline, ...detail } = await detailOf(id)
  const { body } = await api.call('listMessages', { key: api.keys.a, query: { limit: '200' } })
  const { version: __, ...item } = body.items.find((one: { id: string }) => one.id === id)
  expect(timeline.length).toBeGreaterThan(0)
  return { detail, item }
}

describe.each(states)('a message past its expiry whose row is %s', (state) => {
  it('is read, and answers, as it does once its run has moved it', async () => {
    const id = await over(await make(state))
    const before = { shown: await shownOf(id), answers: await answersOf(id) }
    expect(before.shown.detail.state).toBe('expired')
    expect(before.shown.item.state).toBe('expired')
    expect(before.answers.map(([, status]) => status)).toEqual(calls.map(() => 409))
    await moved(id)
    expect({ shown: await shownOf(id), answers: await answersOf(id) }).toEqual(before)
  })

  it('is found as an expired one, and as no other', async () => {
    const ahead = await make(state)
    const id = await over(await make(state))
    expect(await idsIn(['expired'])).toContain(id)
    expect(await idsIn(['expired'])).not.toContain(ahead)
    expect(await idsIn([state])).toContain(ahead)
    expect(await idsIn([state])).not.toContain(id)
    expect(await idsIn([state, 'expired'])).toEqual(expect.arrayContaining([id, ahead]))
    await moved(id)
    expect((await idsIn([state, 'expired'])).filter((one) => one === id)).toEqual([id])
  })
})

describe.each(['waiting', 'paused'] as const)('a reminder past the expiry whose wave is %s', (state) => {
  it('is read, and answers, as it does once its run has moved it', async () => {
    const id = await over(await makeReminder(state))
    const before = { shown: await shownOf(id), answers: await answersOf(id) }
    expect(before.shown.detail).toMatchObject({ state: 'sent', reminder: { state: 'expired' } })
    await moved(id)
    expect({ shown: await shownOf(id), answers: await answersOf(id) }).toEqual(before)
  })
})

it('a send past its expiry is sending until its run has finished it, as what it has become', async () => {
  const id = await make('approved')
  const { db } = api.database
  await db.updateTable('message').set({ state: 'sending' }).where('id', '=', id).execute()
  expect((await detailOf(await over(id))).state).toBe('sending')
  expect(await idsIn(['sending'])).toContain(id)
})

describe('a submitted message past its expiry', () => {
  it('waits for no approver: in no list, no count and no gauge', async () => {
    const session = api.sessions.approver
    const waiting = async () => {
      const [summary, list] = [
        await api.call('getSummary', { session }),
        await api.call('listApprovals', { session }),
      ]
      const { waiting: gauge } = await readApprovalQueue(api.database.db)
      const ids = (list.body.items as { id: string }[]).map((one) => one.id)
      return { toApprove: summary.body.toApprove as number, gauge, ids }
    }
    const id = await make('submitted')
    const before = await waiting()
    expect(before.ids).toContain(id)
    await over(id)
    const after = await waiting()
    expect(after.ids).toEqual(before.ids.filter((one) => one !== id))
    expect([after.toApprove, after.gauge]).toEqual([before.toApprove - 1, before.gauge - 1])
  })

  it('is mailed to no approver', async () => {
    const { db } = api.database
    await db.deleteFrom('notice').execute()
    await over(await make('submitted'))
    expect((await takeNotice(db))?.current).toBe(false)
  })

  it('is decided by nobody, and its page says by what it has ended', async () => {
    const id = await make('submitted')
    const headers = { cookie: `hub_session=${api.sessions.approver}` }
    const page = async (path: string) => (await api.app.inject({ url: `${path}/${id}`, headers })).body
    const form = 'class="decide"'
    expect(await page('/approvals/message')).toContain(form)
    await over(id)
    const approval = await page('/approvals/message')
    expect(approval).toMatch(/已逾期：Carillon/)
    expect(approval).not.toContain(form)
    expect(await page('/messages')).toMatch(/已逾期：Carillon/)
  })
})

it('the answer to a repeated creation has the state as it is read', async () => {
  const headers = { 'idempotency-key': 'once' }
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const create = () => createMessage(api, { expiresAt }, { key: api.keys.a, headers })
  const { body } = await create()
  await over(body.id)
  expect((await create()).body).toEqual({ id: body.id, state: 'expired', created: false })
})

it('a trace says that it has ended unsent, and of no reminder that it is due', async () => {
  const entriesOf = async (id: string) => {
    const { body } = await api.call('traceMessage', {
      key: api.keys.individual,
      id,
      query: { uid: 's1' },
    })
    return (body.items as { code: string }[]).map(({ code }) => code)
  }
  const id = await make('approved')
  expect(await entriesOf(id)).toEqual(expect.arrayContaining(['will_receive', 'reminder_due']))
  await over(id)
  const entries = await entriesOf(id)
  expect(entries).toContain('closed_unsent')
  expect(entries.filter((code) => code === 'will_receive' || code === 'reminder_due')).toEqual([])
})

it('operators find it as an expired one, by id and among what is parked', async () => {
  const { db } = api.database
  const id = await over(await make('approved'))
  await db.updateTable('message').set({ problem: 'quota' }).where('id', '=', id).execute()
  const objects = await findNamed(db, { named: id, id })
  expect(objects).toMatchObject([{ kind: 'message', state: 'expired' }])
  expect(await listParked(db, { after: null, limit: 10 })).toMatchObject([{ id, state: 'expired' }])
})

describe('when its time comes, and nothing is written', () => {
  const frozen = forFile(async () => {
    const database = await freshDatabase()
    const clock = await freezeClock(database)
    const timed = await startApi({ database })
    const close = async () => {
      await clock.close()
      await timed.close()
    }
    return { clock, timed, close }
  })

  it('its detail and its list are sent again to those who have them', async () => {
    const { clock, timed } = frozen
    const expiresAt = clock.at + 3_600_000
    const message = await createMessage(timed, { expiresAt: new Date(expiresAt).toISOString() })
    const ask = async (url: string, tag?: string) => {
      const headers = { authorization: `Bearer ${timed.keys.a}`, ...(tag && { 'if-none-match': tag }) }
      const { statusCode, headers: answered, body } = await timed.app.inject({ url, headers })
      return { statusCode, tag: answered.etag as string, state: /"state":"(\w+)"/.exec(body)?.[1] }
    }
    const [detail, list] = [`/v1/messages/${message.body.id}`, '/v1/messages']
    const tags = { [detail]: (await ask(detail)).tag, [list]: (await ask(list)).tag }
    await clock.set(expiresAt - 1)
    for (const url of [detail, list]) expect((await ask(url, tags[url])).statusCode).toBe(304)
    await clock.set(expiresAt)
    for (const url of [detail, list])
      expect(await ask(url, tags[url])).toMatchObject({ statusCode: 200, state: 'expired' })
  })
})

it('only the move is told to callbacks, once', async () => {
  const { body } = await api.call('createCallback', {
    key: api.keys.a,
    body: { url: 'https://hooks.example.edu/carillon', types: ['message.state_changed'] },
  })
  const id = await make('submitted')
  const told = () =>
    api.database.db
      .selectFrom('callback_delivery')
      .select('state')
      .where('callback_id', '=', body.id)
      .where('message_id', '=', id)
      .orderBy('id')
      .execute()
  const before = await told()
  await over(id)
  await detailOf(id)
  await answersOf(id)
  expect(await told()).toEqual(before)
  await moved(id)
  expect(await told()).toEqual([...before, { state: 'expired' }])
})
