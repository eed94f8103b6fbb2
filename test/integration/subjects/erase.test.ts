import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertAnswer } from '../../../src/db/queries/answer/answer.ts'
import { insertUnit } from '../../../src/db/queries/identity/unit.ts'
import { setConsents } from '../../../src/db/queries/subject/consent.ts'
import type { ProducerPrincipal } from '../../../src/domain/rights/principal.ts'
import { cancelMessage } from '../../../src/services/messages/transitions.ts'
import { listSubjectDeliveries } from '../../../src/services/subjects/deliveries.ts'
import { eraseSubject } from '../../../src/services/subjects/erase.ts'
import { forSends } from '../../fixtures/delivery.ts'
import { activityAttempt, runUntilWait, sendSlices } from '../../fixtures/delivery-steps.ts'
import { completeErasures, exported, placesOf } from '../../fixtures/erasure.ts'
import { groupOf } from '../../fixtures/groups.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { producerPrincipal } from '../../fixtures/message-fixture.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { insertRow, insertRows, selectRow, selectRows } from '../../fixtures/rows.ts'
import { insertSchedule } from '../../fixtures/schedule-rows.ts'
import { approvedSend, startedSend } from '../../fixtures/sends.ts'

let administrative: ProducerPrincipal
const { database, shared: fixture } = forSends()
beforeAll(async () => {
  const unit = await insertUnit(database.db, { name: 'Office', kind: 'administrative' })
  administrative = producerPrincipal(unit.id, { unitKind: 'administrative' })
})

/** The first person added, whose uid is known only to tables that must forget it. */
async function first(tag: string) {
  const row = await database.db
    .selectFrom('subject')
    .innerJoin('address', 'address.subject_id', 'subject.id')
    .select(['subject.id', 'uid', 'address'])
    .where('uid', '=', `${tag}-1`)
    .executeTakeFirstOrThrow()
  return row
}

const clear = () => completeErasures(database.db)
const places = (text: string) => placesOf(database.db, text)
const erase = (uid: string) => eraseSubject(fixture.services, administrative, uid)

async function answers(tag: string, messageId: string) {
  const { id, uid } = await first(tag)
  const { db } = database
  await setConsents(db, [{ subjectId: id, scope: `scope ${uid}`, version: '1', source: 'form' }])
  await insertAnswer(db, {
    messageId,
    subjectId: id,
    ...{ question: '0', n: 0, o: '0', at: null },
    optionId: `chosen by ${uid}`,
    data: { v: 1, a: `asked of ${uid}` },
    channel: 'chat',
  })
  await insertRow(db, 'webhook_event', {
    channel: 'chat',
    event_id: randomUUID(),
    type: 'message',
    address: (await first(tag)).address,
    occurred_at: new Date(),
    payload: JSON.stringify({ text: `written by ${uid}` }),
  })
  return { id, uid }
}

describe('an erased person', () => {
  it('appears in no table; every count stays', async () => {
    const tag = await addRecipients(database.db, 3)
    const planned = await approvedSend(fixture, tag)
    await runUntilWait(fixture, planned.id)
    const { id, uid } = await answers(tag, planned.id)
    const { address } = await first(tag)
    await insertRows(
      database.db,
      'event',
      ['alone', 'among others'].map((event, n) => ({
        source: 'test',
        event_id: `${event} ${tag}`,
        type: 't',
        occurred_at: new Date(),
        subject_uids: n === 0 ? [uid] : [uid, `${tag}-2`],
        data: JSON.stringify(n === 0 ? { name: `of ${uid}` } : {}),
        ...(n === 0 && {
          error: 'missing_variable' as const,
          details: JSON.stringify({ variables: [`phone of ${uid}`] }),
        }),
        key_id: 'k',
        next_try_at: new Date(),
      })),
    )

    const erased = await erase(uid)
    expect(erased.subjectId).toBe(id)
    await clear()
    expect(await places(uid)).toEqual([])
    expect(await places(address)).toEqual([])
    const rows = await selectRows(database.db, 'delivery', { wave_id: planned.waveId }, ['state'])
    expect(rows).toHaveLength(3)
    const broken = await brokenInvariants(database.db)
    expect(broken).toEqual([])
    await expect(erase(uid)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('leaves to the others what was about them too, and takes it along as the last of them', async () => {
    const { db } = database
    const tag = await addRecipients(db, 2)
    const uids = [`${tag}-1`, `${tag}-2`]
    const secret = `about ${randomUUID()}`
    await insertRow(db, 'event', {
      ...{ source: 'test', event_id: tag, type: 't', occurred_at: new Date(), key_id: 'k' },
      ...{ subject_uids: uids, data: JSON.stringify({ secret }), next_try_at: new Date() },
    })
    const messages = [{ kind: 'text' as const, text: { 'zh-TW': secret } }]
    await insertSchedule(db, { message: { messages, audience: { kind: 'individual', uids } } })
    const all = ['event', 'schedule']
    expect(await places(secret)).toEqual(all)
    await erase(uids[0]!)
    await clear()
    expect(await places(secret)).toEqual(all)
    await erase(uids[1]!)
    await clear()
    expect(await places(secret)).toEqual([])
  })

  it('is erased once, however many ask, and the audit row does not name them', async () => {
    const { id, uid } = await first(await addRecipients(database.db, 1))
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => erase(uid)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const audit = await database.db.selectFrom('audit').selectAll().where('object_id', '=', id).execute()
    expect(audit).toMatchObject([{ action: 'erase', unit_id: administrative.unitId, details: null }])
    expect(JSON.stringify(audit)).not.toContain(uid)
    await clear()
  })

  it('in the middle of a send is not sent to any more, and no one else is lost', async () => {
    const tag = await addRecipients(database.db, 3)
    const planned = await startedSend(fixture, tag)
    const { id, uid } = await first(tag)
    await erase(uid)
    await runUntilWait(fixture, planned.id)
    const rows = await database.db
      .selectFrom('delivery')
      .select(['subject_id', 'state', 'reason'])
      .where('wave_id', '=', planned.waveId)
      .execute()
    expect(rows.find(({ subject_id }) => subject_id === id)).toMatchObject({
      state: 'skipped',
      reason: 'noAddress',
    })
    expect(rows.filter(({ state }) => state === 'sent')).toHaveLength(2)
    await clear()
  })

  it('with a call in flight keeps their place in it until it is settled', async () => {
    const tag = await addRecipients(database.db, 1)
    const planned = await startedSend(fixture, tag)
    fixture.provider.always({ kind: 'unavailable', code: 'cut', certain: false }, 3)
    await sendSlices(fixture.delivery, activityAttempt(), planned)
    const { uid, address } = await first(tag)
    await erase(uid)
    await clear()
    expect(await places(address)).toContain('call')
    await runUntilWait(fixture, planned.id)
    await clear()
    expect(await places(address)).toEqual([])
    expect(await database.db.selectFrom('erasure').selectAll().execute()).toEqual([])
  })
})

describe('a message that names people one by one', () => {
  const text = (uid: string) => [{ kind: 'text' as const, text: { 'zh-TW': `給 ${uid}` } }]
  const write = (uids: string[]) => {
    const targeting = {
      ...fixture,
      producer: producerPrincipal(fixture.unit.id, { individualTargeting: true }),
    }
    return approvedSend(targeting, '', { audience: { kind: 'individual', uids }, messages: text(uids[0]!) })
  }

  it('keeps its counts and loses its text if it was for no one else, once it is closed', async () => {
    const { uid } = await first(await addRecipients(database.db, 1))
    const planned = await write([uid])
    await erase(uid)
    await clear()
    expect(await places(uid)).toEqual(['message', 'message_content'])
    await cancelMessage(fixture.services, fixture.approver, planned.id)
    await runUntilWait(fixture, planned.id)
    await clear()
    expect(await places(uid)).toEqual([])
  })

  it('keeps its text, where it was for others too, until the last of them is erased', async () => {
    const tag = await addRecipients(database.db, 2)
    const { uid } = await first(tag)
    const planned = await write([`${tag}-2`, uid])
    await runUntilWait(fixture, planned.id)
    await erase(uid)
    await clear()
    expect(await places(uid)).toEqual([])
    const { audience } = await selectRow(database.db, 'message', { id: planned.id }, ['audience'])
    expect(audience).toEqual({ kind: 'individual', uids: [`${tag}-2`, 'erased subject'] })
    expect(await places(`給 ${tag}-2`)).toContain('message_content')
    await erase(`${tag}-2`)
    await clear()
    expect(await places(`給 ${tag}-2`)).toEqual([])
  })
})

describe('a message to a group of a few people', () => {
  const send = async (tag: string, size: number) => {
    const by = { ...fixture, producer: producerPrincipal(fixture.unit.id, { individualTargeting: true }) }
    const uids = Array.from({ length: size }, (_, n) => `${tag}-${n + 1}`)
    const groups = [await groupOf(fixture, uids)]
    const messages = [{ kind: 'text' as const, text: { 'zh-TW': `給 ${tag}` } }]
    const planned = await approvedSend(by, tag, { audience: { kind: 'query', groups }, messages })
    await runUntilWait(fixture, planned.id)
    return planned
  }

  it('is exported with its text, and loses that with the only person it was for', async () => {
    const tag = await addRecipients(database.db, 1)
    const { uid } = await first(tag)
    const { id } = await send(tag, 1)
    const { records } = await exported(fixture.services, administrative, uid)
    expect(records.message).toMatchObject([{ id, frozen: [{ text: { 'zh-TW': `給 ${tag}` } }] }])
    await erase(uid)
    await clear()
    expect(await places(`給 ${tag}`)).toEqual([])
  })

  it('keeps its text, if it was for others too, until the last of them is erased', async () => {
    const tag = await addRecipients(database.db, 2)
    await send(tag, 2)
    await erase((await first(tag)).uid)
    await clear()
    expect(await places(`給 ${tag}`)).toContain('message_content')
    await erase(`${tag}-2`)
    await clear()
    expect(await places(`給 ${tag}`)).toEqual([])
  })
})

describe('all data about one person', () => {
  it('is there to export: profile, history, answers, what they wrote, what they were sent', async () => {
    const tag = await addRecipients(database.db, 1)
    const planned = await approvedSend(fixture, tag)
    await runUntilWait(fixture, planned.id)
    const { id, uid } = await answers(tag, planned.id)
    await sql`update webhook_event set subject_id = ${id} where payload::text like ${`%${uid}%`}`.execute(
      database.db,
    )
    const { subject, records, deliveries } = await exported(fixture.services, administrative, uid)
    expect(subject).toMatchObject({ uid, subjectId: id, tags: [tag] })
    expect(records.consent_history).toMatchObject([{ scope: `scope ${uid}`, what: 'granted' }])
    expect(records.message_answer).toMatchObject([{ option_id: `chosen by ${uid}` }])
    expect(records.webhook_event).toMatchObject([{ payload: { text: `written by ${uid}` } }])
    expect(deliveries).toMatchObject([{ messageId: planned.id, channel: 'chat', state: 'sent' }])
  })

  it('refers to subjects so that it is deleted with them; emptied runs, turns and registrations stay without one', async () => {
    const { rows } = await sql<{ name: string; goes: string }>`
      select conrelid::regclass::text as name, confdeltype as goes from pg_constraint
      where confrelid = 'subject'::regclass and contype = 'f' and conparentid = 0
    `.execute(database.db)
    const others = rows.filter(({ goes }) => goes !== 'c')
    expect(others.sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'handoff', goes: 'n' },
      { name: 'pattern_answer', goes: 'n' },
      { name: 'registration', goes: 'n' },
      { name: 'scenario_run', goes: 'n' },
      { name: 'turn', goes: 'n' },
    ])
  })

  it('is in no other table: a new column that names people must be listed here', async () => {
    const { rows } = await sql<{ place: string }>`
      select relname || '.' || attname as place from pg_attribute
      join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0
        and attname ~ 'subject_(id|uid)|^uids?$|address'
        and not exists (select from pg_constraint
          where conrelid = attrelid and confrelid = 'subject'::regclass and conkey = array[attnum])
      order by place
    `.execute(database.db)
    expect(rows.map(({ place }) => place)).toEqual([
      'address.address', // goes with the subject
      'call.addresses', // cleared when the call is settled
      'call.subject_ids', // an id without a subject
      'delivery.subject_id', // an id without a subject
      'erasure.subject_id', // an id without a subject
      'event.subject_uids', // replaced
      'person.subject_uid', // emptied
      'subject.uid', // is the subject
      'turn.address', // emptied
      'webhook_event.address', // goes with the subject
      'webhook_event.address_hash', // likewise
    ])
  })
})

it('the deliveries of one person are listed in pages, newest first', async () => {
  const tag = await addRecipients(database.db, 1)
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) {
    const planned = await approvedSend(fixture, tag)
    await runUntilWait(fixture, planned.id)
    ids.unshift(planned.id)
  }
  const { uid } = await first(tag)
  const list = (cursor?: string) =>
    listSubjectDeliveries(fixture.services, administrative, uid, { limit: 2, ...(cursor && { cursor }) })
  const page = await list()
  const rest = await list(page.nextCursor!)
  expect([...page.items, ...rest.items].map(({ messageId }) => messageId)).toEqual(ids)
  expect(rest.nextCursor).toBeNull()
  expect(page.items[0]).toMatchObject({ state: 'sent', reminder: false, title: expect.any(Object) })
})
