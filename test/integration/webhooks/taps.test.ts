import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { doNotRemindTap, tap } from '../../../src/channels/chat/taps.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { postback, startWebhookApi } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startWebhookApi)

const label = (text: string) => ({ 'zh-TW': text })

const answers = (messageId: string) =>
  api.database.db
    .selectFrom('message_answer')
    .select(['n', 'o', 'option_id', 'channel', 'data'])
    .where('message_id', '=', messageId)
    .orderBy('n')
    .orderBy('o')
    .execute()

describe('a tap', () => {
  const messages = [
    {
      kind: 'buttons',
      text: label('參加開放日嗎？'),
      actions: [
        { kind: 'postback', label: label('參加'), data: { v: 1, o: 'yes', a: 'do_not_remind' } },
        { kind: 'mute', label: label('不要這類'), categoryId: 'manual' },
        { kind: 'nextNode', label: label('下一步'), nodeId: 'n', optionId: 'next' },
        { kind: 'uri', label: label('網站'), url: 'https://example.edu' },
      ],
    },
    { kind: 'quickReply', text: label('幾位？'), options: [{ id: 'one', label: label('一位') }] },
  ]
  const send = (more: object = {}) => insertSentMessage(api, { ...newMessage, messages, ...more })

  it('is recorded once for each question, under the producer’s own name for the option', async () => {
    const { id } = await send()
    const again = postback('Us1', tap({ m: id }, 1, '0'))
    await api.happens(
      again,
      again,
      postback('Us1', tap({ m: id }, 1, '0')),
      postback('Us1', tap({ m: id }, 0, '2')),
    )
    expect(await answers(id)).toEqual([
      { n: 0, o: '2', option_id: 'next', channel: 'chat', data: null },
      { n: 1, o: '0', option_id: 'one', channel: 'chat', data: null },
    ])
  })

  it('replaces an earlier answer to the same question, and no other', async () => {
    const messages = [
      {
        kind: 'buttons',
        text: label('參加嗎？'),
        actions: [
          { kind: 'postback', label: label('參加'), data: { v: 1, o: 'yes' } },
          { kind: 'postback', label: label('不參加'), data: { v: 1, s: 'declined' } },
          { kind: 'mute', label: label('不要這類'), categoryId: 'manual' },
        ],
      },
      { kind: 'quickReply', text: label('幾位？'), options: [{ id: 'one', label: label('一位') }] },
    ]
    const { id } = await send({ messages })
    const press = (who: string, n: number, o: string, more: object = {}) =>
      api.happens({ ...postback(who, tap({ m: id }, n, o)), ...more })
    await press('Us1', 0, '0')
    await press('Us1', 1, '0')
    await press('Us1', 0, '2')
    await press('Us1', 0, '1')
    await press('Us2', 0, '0')
    await press('Us1', 0, '0', { timestamp: Date.now() - 60_000 })
    expect((await answers(id)).map(({ option_id }) => option_id)).toEqual(['yes', '1.2', '1.3', 'one'])
    const detail = await api.call('getMessage', { key: api.keys.a, id })
    expect(detail.body.answers).toEqual({ yes: 1, '1.2': 1, '1.3': 1, one: 1 })

    const who = async (optionId?: string) => {
      const history = [{ kind: 'answered', messageId: id, ...(optionId && { optionId }) }]
      const body = { ...newMessage, audience: { kind: 'query', history } }
      const headers = { 'idempotency-key': randomUUID() }
      const messageId = (await api.call('createMessage', { key: api.keys.a, headers, body })).body.id
      return (await api.call('dryRunMessage', { key: api.keys.individual, id: messageId })).body.recipients
        .total
    }
    expect([await who(), await who('yes'), await who('1.2')]).toEqual([2, 1, 1])

    await press('Us1', 0, '0')
    expect((await answers(id)).map(({ option_id }) => option_id)).toEqual(['yes', 'yes', '1.3', 'one'])
  })

  it('on a producer’s own button is recorded and never obeyed', async () => {
    const { id } = await send()
    await api.happens(postback('Us1', tap({ m: id }, 0, '0')))
    const data = { v: 1, o: 'yes', a: 'do_not_remind' }
    expect(await answers(id)).toEqual([{ n: 0, o: '0', option_id: 'yes', channel: 'chat', data }])
    const reminded = api.database.db.selectFrom('do_not_remind').where('message_id', '=', id)
    expect(await reminded.selectAll().execute()).toEqual([])
  })

  it('on a mute button switches its category off everywhere, unless it has become mandatory', async () => {
    const { id } = await send()
    const { db } = api.database
    const layer = (name: 'mandatory' | 'service') =>
      db.updateTable('category').set({ layer: name }).where('id', '=', 'manual').execute()
    await layer('mandatory')
    await api.happens(postback('Us2', tap({ m: id }, 0, '1')))
    await layer('service')
    await api.happens(postback('Us1', tap({ m: id }, 0, '1')))
    const rows = await db.selectFrom('preference').select(['subject_id', 'channel', 'enabled']).execute()
    const { id: subject_id } = await api.person('s1')
    expect(rows).toEqual([
      { subject_id, channel: 'chat', enabled: false },
      { subject_id, channel: 'email', enabled: false },
    ])
    expect(await answers(id)).toHaveLength(2)
  })

  it('on a group’s button adds to the group, which nothing else in the tap can name', async () => {
    const { db } = api.database
    const group = await db
      .insertInto('subject_group')
      .values({ unit_id: api.units.a, name: 'Guests', kind: 'static', legal_basis: 'consent' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const actions = [{ kind: 'addToGroup', label: label('加入'), groupId: group.id }]
    const { id } = await send({ messages: [{ kind: 'buttons', text: label('加入？'), actions }] })
    await api.happens(
      postback('Us1', tap({ m: id }, 0, '0')),
      postback('Us1', { ...tap({ m: id }, 0, '0'), n: '7' }),
    )
    expect((await api.outcomes()).at(-1)).toBe('unknown_option')
    const members = await db.selectFrom('group_member').select('subject_id').execute()
    expect(members).toEqual([{ subject_id: (await api.person('s1')).id }])
  })

  it('that opts out of the reminder is recorded, for a message that was sent to them', async () => {
    const { id } = await send({ remindAt: '2037-01-02T00:00:00Z' })
    await api.happens(postback('Us1', doNotRemindTap({ m: id })))
    const rows = await api.database.db.selectFrom('do_not_remind').selectAll().execute()
    expect(rows).toEqual([{ message_id: id, subject_id: (await api.person('s1')).id, at: expect.any(Date) }])
  })

  it.each([
    ['that is not Carillon’s', async () => 'hello', 'unknown'],
    ['without data', async () => undefined, 'unknown'],
    ['of an unknown message', async () => tap({ m: randomUUID() }, 0, '0'), 'not_received'],
    ['on an unknown option', async () => tap({ m: (await send()).id }, 0, '9'), 'unknown_option'],
    ['on a link', async () => tap({ m: (await send()).id }, 0, '3'), 'unknown_option'],
    ['without an option', async () => ({ v: 1, m: (await send()).id }), 'unknown_option'],
    ['of an unknown run', async () => tap({ s: randomUUID(), m: 'ask' }, 0, '0'), 'wrong_recipient'],
  ])('%s changes nothing', async (_, make, outcome) => {
    const data = await make()
    const before = await api.database.db.selectFrom('message_answer').selectAll().execute()
    await api.happens(postback('Us1', data))
    expect((await api.outcomes()).at(-1)).toBe(outcome)
    expect(await api.database.db.selectFrom('message_answer').selectAll().execute()).toEqual(before)
  })

  it('of a person who was not sent the message changes nothing', async () => {
    const { id, waveId } = await send()
    const { id: subjectId } = await api.person('s3')
    await api.database.db
      .updateTable('delivery')
      .set({ state: 'skipped' })
      .where('wave_id', '=', waveId)
      .where('subject_id', '=', subjectId)
      .execute()
    await api.happens(postback('Us3', tap({ m: id }, 1, '0')))
    expect((await api.outcomes()).at(-1)).toBe('not_received')
  })

  it('is too late once the message has expired', async () => {
    const { id } = await send({ expiresAt: '2037-01-02T00:00:00Z' })
    await updateRows(api.database.db, 'message', { id }, { expires_at: new Date() })
    await api.happens(postback('Us1', tap({ m: id }, 1, '0')))
    expect((await api.outcomes()).at(-1)).toBe('closed')
    expect(await answers(id)).toEqual([])
  })
})
