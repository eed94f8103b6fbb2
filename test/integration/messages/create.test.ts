import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { CreateMessage } from '../../../src/contract/messages/create.ts'
import { insertTopic } from '../../../src/db/queries/catalogue/topic.ts'
import type { PersonPrincipal, ProducerPrincipal } from '../../../src/domain/rights/principal.ts'
import { createMessage } from '../../../src/services/messages/create.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import { codeOf, forMessages, makeTemplate, messageBody } from '../../fixtures/message-fixture.ts'
import { auditRows, selectRows } from '../../fixtures/rows.ts'

const { fresh, fixture } = forMessages()

const create = (
  parts: Partial<CreateMessage> = {},
  by: ProducerPrincipal | PersonPrincipal = fixture.producer,
  key: string = randomUUID(),
) => createMessage(fixture.services, by, key, messageBody(parts))

const minutes = (n: number) => new Date(Date.now() + n * 60_000).toISOString()

describe('creating a message', () => {
  it('creates a draft without a run', async () => {
    const message = await create()
    expect(message).toEqual({ id: expect.any(String), state: 'draft', created: true })
    expect(fixture.told).toEqual([])
    const row = await fresh.db
      .selectFrom('message')
      .select(['version', 'observed_version', 'next_wakeup_at', 'origin'])
      .where('id', '=', message.id)
      .executeTakeFirst()
    expect(row).toEqual({ version: 1, observed_version: 1, next_wakeup_at: null, origin: 'api' })
  })

  it('wakes the run of a draft when it expires', async () => {
    const expiresAt = minutes(60)
    const { id } = await create({ expiresAt })
    const row = await fresh.db
      .selectFrom('message')
      .select('next_wakeup_at')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row?.next_wakeup_at?.toISOString()).toBe(expiresAt)
  })

  it('pins a producer to its own unit, whatever the body names', async () => {
    const { id } = await create({ unitId: fixture.otherUnit.id })
    expect((await getMessage(fixture.services, fixture.producer, id)).unitId).toBe(fixture.unit.id)
  })

  it('requires a person of several units to name one of their own', async () => {
    const twice = await fixture.person('Twice', ['editor'], fixture.unit.id, fixture.otherUnit.id)
    expect(await codeOf(create({}, twice))).toBe('unit_required')
    expect(await codeOf(create({ unitId: fixture.unit.id }, twice))).toBe('ok')
    expect(await codeOf(create({ unitId: fixture.otherUnit.id }, fixture.editor))).toBe('forbidden')
    expect(await codeOf(create({}, fixture.editor))).toBe('ok')
  })

  it('is for editors', async () => {
    expect(await codeOf(create({}, fixture.approver))).toBe('forbidden')
  })

  it('restricts a key to its categories', async () => {
    const key = { ...fixture.producer, categories: ['auto'] }
    expect(await codeOf(create({ categoryId: 'manual' }, key))).toBe('category_not_allowed')
    expect(await codeOf(create({ categoryId: 'unknown' }, key))).toBe('category_not_allowed')
    expect(await codeOf(create({ categoryId: 'auto' }, key))).toBe('ok')
  })

  it('restricts a key to its dimensions, those inside exclude and `all` among them', async () => {
    const key = { ...fixture.producer, dimensions: ['roles'] }
    const query = { kind: 'query', roles: ['student'] } as const
    expect(await codeOf(create({ audience: { kind: 'all' } }, key))).toBe('audience_dimension_not_allowed')
    const exclude = { tags: ['x'] }
    expect(await codeOf(create({ audience: { ...query, roles: ['student'], exclude } }, key))).toBe(
      'audience_dimension_not_allowed',
    )
    expect(await codeOf(create({ audience: { ...query, roles: ['student'] } }, key))).toBe('ok')
  })

  it('lets only keys with individual targeting name people, and audits each use', async () => {
    const audience = { kind: 'individual', uids: ['student-1', 'nobody'] } as const
    const named = { audience: { ...audience, uids: [...audience.uids] } }
    expect(await codeOf(create(named))).toBe('individual_targeting_disabled')
    expect(await codeOf(create(named, fixture.editor))).toBe('individual_targeting_disabled')
    const { id } = await create(named, { ...fixture.producer, individualTargeting: true })
    const trail = await selectRows(fresh.db, 'audit', { object_id: id, action: 'individual_targeting' }, [
      'actor',
      'details',
    ])
    expect(trail).toEqual([{ actor: 'key:key1', details: { count: 2 } }])
  })

  it('answers not_found for references that the unit does not have', async () => {
    const foreign = await makeTemplate(fixture, { by: fixture.otherProducer })
    const foreignTopic = await insertTopic(fresh.db, {
      unitId: fixture.otherUnit.id,
      name: { 'zh-TW': '別人的' },
    })
    expect(await codeOf(create({ categoryId: 'unknown' }))).toBe('not_found')
    expect(await codeOf(create({ categoryId: 'off' }))).toBe('not_found')
    for (const templateId of [foreign, randomUUID(), 'no id at all'])
      expect(await codeOf(create({ messages: undefined, templateId }))).toBe('not_found')
    for (const topicId of [foreignTopic, randomUUID(), 'no id at all'])
      expect(await codeOf(create({ topicId }))).toBe('not_found')
  })

  it('rejects an inactive topic', async () => {
    const topicId = await insertTopic(fresh.db, { unitId: fixture.unit.id, name: { 'zh-TW': '社團' } })
    expect(await codeOf(create({ topicId }))).toBe('ok')
    await fresh.db.updateTable('topic').set({ status: 'inactive' }).where('id', '=', topicId).execute()
    expect(await codeOf(create({ topicId }))).toBe('topic_inactive')
  })

  it('names all missing variables together', async () => {
    const templateId = await makeTemplate(fixture)
    const error = await create({ messages: undefined, templateId, variables: {} }).catch((e) => e)
    expect(error).toMatchObject({ code: 'missing_variable', details: { variables: ['course', 'room'] } })
  })

  it('accepts an override of the channel plan that narrows it, and rejects one that widens it', async () => {
    const parts = { categoryId: 'mail', channelPlanOverride: { channels: ['chat' as const] } }
    const { id } = await create(parts)
    const detail = await getMessage(fixture.services, fixture.producer, id)
    expect(detail.channelPlan).toEqual({ mode: 'all', channels: ['chat'] })
    const widened = { channelPlanOverride: { channels: ['email' as const] } }
    const error = await create(widened).catch((e) => e)
    expect(error).toMatchObject({
      code: 'validation_error',
      details: { issues: [{ path: 'channelPlanOverride' }] },
    })
  })

  it.each([
    ['an expiry in the past', { expiresAt: minutes(-1) }, 'validation_error'],
    [
      'an expiry before the schedule',
      { scheduleAt: minutes(20), expiresAt: minutes(10) },
      'validation_error',
    ],
    ['a reminder before the send', { scheduleAt: minutes(20), remindAt: minutes(10) }, 'remind_before_send'],
    ['a reminder after the expiry', { remindAt: minutes(20), expiresAt: minutes(10) }, 'remind_after_expiry'],
  ])('rejects %s', async (_, parts, code) => {
    expect(await codeOf(create(parts))).toBe(code)
  })

  it('reports the path and the error of an invalid instant', async () => {
    const error = await create({ expiresAt: minutes(-1) }).catch((e) => e)
    expect(error.details).toMatchObject({ issues: [{ path: 'expiresAt', rule: 'in_the_past' }] })
    const reminder = await create({ scheduleAt: minutes(20), remindAt: minutes(10) }).catch((e) => e)
    expect(reminder.details).toEqual({
      issues: [
        {
          path: 'remindAt',
          message: 'must be later than the send time',
          rule: 'not_after',
          than: 'sendTime',
        },
      ],
    })
  })

  it('reports missing rights before missing objects, and those before invalid times', async () => {
    const wrong = { categoryId: 'unknown', audience: { kind: 'all' as const }, expiresAt: minutes(-1) }
    const key = { ...fixture.producer, categories: ['auto'], dimensions: [] }
    expect(await codeOf(create(wrong, key))).toBe('category_not_allowed')
    expect(await codeOf(create({ ...wrong, categoryId: 'auto' }, key))).toBe('audience_dimension_not_allowed')
    expect(await codeOf(create(wrong))).toBe('not_found')
    expect(await codeOf(create({ ...wrong, categoryId: 'auto' }))).toBe('validation_error')
  })
})

describe('an idempotency key', () => {
  it('returns the same message again, in its current state, whatever the order of keys', async () => {
    const key = randomUUID()
    const one = await create({}, fixture.producer, key)
    await fresh.db.updateTable('message').set({ state: 'submitted' }).where('id', '=', one.id).execute()
    const reversed = Object.fromEntries(Object.entries(messageBody()).reverse()) as CreateMessage
    const again = await createMessage(fixture.services, fixture.producer, key, reversed)
    expect(again).toEqual({ id: one.id, state: 'submitted', created: false })
  })

  it('is rejected with another body', async () => {
    const key = randomUUID()
    const { id } = await create({}, fixture.producer, key)
    const error = await create({ categoryId: 'auto' }, fixture.producer, key).catch((e) => e)
    expect(error).toMatchObject({ code: 'idempotency_mismatch', details: { id } })
  })

  it('is replayed before anything else is checked', async () => {
    const key = randomUUID()
    const { id } = await create({}, fixture.producer, key)
    const restricted = { ...fixture.producer, categories: [] }
    expect(await create({}, restricted, key)).toMatchObject({ id, created: false })
  })

  it('belongs to its unit', async () => {
    const key = randomUUID()
    const mine = await create({}, fixture.producer, key)
    const theirs = await create({}, fixture.otherProducer, key)
    expect(theirs).toMatchObject({ created: true })
    expect(theirs.id).not.toBe(mine.id)
  })

  it('makes one row however many use it at once', async () => {
    for (let round = 0; round < 5; round++) {
      const key = randomUUID()
      const answers = await Promise.all(Array.from({ length: 100 }, () => create({}, fixture.producer, key)))
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
      expect(answers.filter(({ created }) => created)).toHaveLength(1)
      const trail = await auditRows(fresh.db, answers[0]!.id, 'id')
      expect(trail).toHaveLength(1)
    }
  })
})
