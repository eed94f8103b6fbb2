import { describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { createMessage, newMessage } from '../../fixtures/new-message.ts'
import { selectRow, selectRows } from '../../fixtures/rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

/** The people of the seed, by their chat addresses. */
const as = (address: string) => ({ headers: { 'x-mock-channel-user': address } })
const inbox = async (address: string, query = {}) =>
  (await api.call('listInbox', { ...as(address), query })).body
const put = (body: object, address = 'Us1') => api.call('putPreferences', { ...as(address), body })
const texts = { kind: 'text', text: { 'zh-TW': '您好', en: 'Hello' } }

async function audited() {
  const rows = await selectRows(api.database.db, 'audit', { object_kind: 'subject' }, [
    'actor',
    'action',
    'details',
  ])
  return rows.map(({ action, details }) => ({ action, details }))
}

describe('the inbox', () => {
  it('shows what a person received, newest first, in both languages and once for all channels', async () => {
    const first = await insertSentMessage(api, { ...newMessage, messages: [texts] })
    const second = await insertSentMessage(api, newMessage, { channels: ['chat', 'email'] })
    const { items, nextCursor } = await inbox('Us1')
    expect(nextCursor).toBeNull()
    expect(items).toEqual([
      expect.objectContaining({ id: second.waveId, messageId: second.id, categoryId: 'news', topicId: null }),
      expect.objectContaining({ id: first.waveId, readAt: null, messages: [texts] }),
    ])
  })

  it('names the title, the unit, the category and when it is over', async () => {
    const expiresAt = '2037-06-01T00:00:00.000Z'
    const sent = await insertSentMessage(api, { ...newMessage, expiresAt })
    const { items } = await inbox('Us1')
    expect(items.find(({ id }: { id: string }) => id === sent.waveId)).toMatchObject({
      title: { 'zh-TW': '校園開放日' },
      unit: { id: api.units.a, name: { 'zh-TW': 'Admissions' } },
      category: { id: 'news', name: { 'zh-TW': expect.any(String) } },
      expiresAt,
    })
  })

  it('counts and lists what is unread', async () => {
    const unread = async () => (await api.call('countUnread', as('Us1'))).body.unread
    const before = await unread()
    const [read, other] = [await insertSentMessage(api, newMessage), await insertSentMessage(api, newMessage)]
    expect(await unread()).toBe(before + 2)
    await api.call('markInboxItemRead', { ...as('Us1'), id: read.waveId })
    expect(await unread()).toBe(before + 1)
    for (const value of ['', 'true']) {
      const ids = (await inbox('Us1', { unread: value })).items.map(({ id }: { id: string }) => id)
      expect([ids.includes(other.waveId), ids.includes(read.waveId)]).toEqual([true, false])
    }
    expect((await api.call('listInbox', { ...as('Us1'), query: { unread: 'no' } })).code).toBe(
      'validation_error',
    )
  })

  it('is paged', async () => {
    const all = (await inbox('Us2')).items
    const one = await inbox('Us2', { limit: '1' })
    const rest = await inbox('Us2', { cursor: one.nextCursor })
    expect([...one.items, ...rest.items]).toEqual(all)
    expect(rest.nextCursor).toBeNull()
    expect((await api.call('listInbox', { ...as('Us2'), query: { cursor: 'x' } })).code).toBe(
      'validation_error',
    )
  })

  it('shows nothing that did not arrive, was no first send, or was for others', async () => {
    const { waveId } = await insertSentMessage(api, newMessage)
    const { db } = api.database
    const before = (await inbox('Us3')).items.length
    const { id } = await selectRow(db, 'subject', { uid: 's3' }, ['id'])
    const row = db.updateTable('delivery').where('wave_id', '=', waveId).where('subject_id', '=', id)
    await row.set({ state: 'skipped' }).execute()
    expect((await inbox('Us3')).items).toHaveLength(before - 1)
    await row.set({ state: 'sent' }).execute()
    await db.updateTable('wave').set({ number: 1 }).where('id', '=', waveId).execute()
    expect((await inbox('Us3')).items).toHaveLength(before - 1)
  })

  it('keeps the first read mark of each person, on what they received', async () => {
    const { waveId } = await insertSentMessage(api, newMessage)
    const read = (address: string, id = waveId) => api.call('markInboxItemRead', { ...as(address), id })
    const first = (await read('Us1')).body
    expect((await read('Us1')).body).toEqual(first)
    expect((await inbox('Us1')).items[0]).toMatchObject({ id: waveId, readAt: first.readAt })
    expect((await inbox('Us2')).items[0]).toMatchObject({ id: waveId, readAt: null })
    expect((await read('Us1', api.units.a)).code).toBe('not_found')
  })
})

describe('preferences', () => {
  it('name every enabled category and active topic, with defaults at first', async () => {
    const { body } = await api.call('getPreferences', as('Us1'))
    expect(body).toEqual({
      language: 'zh-TW',
      categories: {
        mail: { chat: true, email: true, mandatory: false, needsConsent: false },
        manual: { chat: true, email: true, mandatory: false, needsConsent: false },
        news: { chat: true, email: true, mandatory: false, needsConsent: false },
        safety: { chat: true, email: true, mandatory: true, needsConsent: false },
      },
      topics: { [api.topics.active]: true },
      names: {
        categories: {
          mail: { 'zh-TW': 'mail' },
          manual: { 'zh-TW': 'manual' },
          news: { 'zh-TW': 'news' },
          safety: { 'zh-TW': 'safety' },
        },
        topics: { [api.topics.active]: { 'zh-TW': 'active' } },
      },
    })
  })

  it('name categories and topics in both languages, and ignore names in a change', async () => {
    const both = { 'zh-TW': '社團', en: 'Clubs' }
    const name = JSON.stringify(both)
    const { db } = api.database
    await db.updateTable('category').set({ name }).where('id', '=', 'news').execute()
    await db.updateTable('topic').set({ name }).where('id', '=', api.topics.active).execute()
    const { body } = await put({ names: { categories: { news: 'Mine' }, topics: 'none' } }, 'Us3')
    expect(body.names).toMatchObject({ categories: { news: both }, topics: { [api.topics.active]: both } })
  })

  it('change in part or as a whole, for one person, with one audit row for each change', async () => {
    const { body } = await put({ language: 'en', categories: { news: { email: false } } })
    expect(body).toMatchObject({ language: 'en', categories: { news: { chat: true, email: false } } })
    expect((await put(body)).body).toEqual(body)
    expect((await put({ topics: { [api.topics.active]: false } })).body.topics).toEqual({
      [api.topics.active]: false,
    })
    expect((await put({ topics: { [api.topics.active.toUpperCase()]: true } })).body).toEqual(body)
    expect((await api.call('getPreferences', as('Us2'))).body.language).toBe('zh-TW')
    expect(await audited()).toEqual([
      { action: 'preferences', details: { changed: ['language', 'categories'] } },
      { action: 'preferences', details: { changed: ['topics'] } },
      { action: 'preferences', details: { changed: ['topics'] } },
    ])
  })

  it('keep mandatory categories on, and then change nothing else either', async () => {
    const before = (await api.call('getPreferences', as('Us1'))).body
    const wanted = { language: 'zh-TW', categories: { safety: { chat: false }, news: { chat: false } } }
    expect((await put(wanted)).code).toBe('fixed_category')
    expect((await api.call('getPreferences', as('Us1'))).body).toEqual(before)
    expect(
      (await put({ categories: { safety: { chat: true, email: true, mandatory: false } } })).status,
    ).toBe(200)
  })

  it('apply to the next count of an audience', async () => {
    const counted = async (parts: object) => {
      const { id } = (await createMessage(api, parts)).body
      const { recipients } = (await api.call('dryRunMessage', { key: api.keys.a, id })).body
      return [recipients.total, recipients.excluded.preferenceOff]
    }
    const topicId = api.topics.active
    expect(await counted({ topicId })).toEqual([3, 0])
    await put({ topics: { [topicId]: false } }, 'Us3')
    expect(await counted({ topicId })).toEqual([2, 1])
    expect(await counted({})).toEqual([3, 0])
    await put({ categories: { news: { chat: false } } }, 'Us3')
    expect(await counted({})).toEqual([2, 1])
    expect(await counted({ categoryId: 'safety' })).toEqual([3, 0])
  })

  it('accept existing names only', async () => {
    for (const wrong of [{ categories: { nowhere: {} } }, { topics: { nowhere: true } }])
      expect((await put(wrong)).code).toBe('not_found')
    for (const wrong of [{ language: 'fr' }, { colour: 'red' }, { topics: { x: 1 } }, []])
      expect((await put(wrong)).code).toBe('validation_error')
  })
})
