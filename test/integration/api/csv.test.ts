import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { insertRows } from '../../fixtures/rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const people = 450
const formula = "=HYPERLINK('x')"

async function insertPeople(): Promise<void> {
  await insertRows(
    api.database.db,
    'subject',
    Array.from({ length: people }, (_, n) => ({
      uid: n === 0 ? formula : n === 1 ? '學生，"甲"' : `csv-${n}`,
      roles: ['student'],
      stage: 'member' as const,
    })),
  )
}

const asTable = (url: string, key: string, accept = 'text/csv') =>
  api.app.inject({ url, headers: { authorization: `Bearer ${key}`, accept } })

describe('the deliveries of a message as a table', () => {
  it('have a row each, in all pages, which a spreadsheet reads with Han and without formulas', async () => {
    await insertPeople()
    const { id } = await insertSentMessage(api, newMessage)
    const url = `/v1/messages/${id}/deliveries`
    const { statusCode, headers, rawPayload } = await asTable(url, api.keys.individual)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers['content-disposition']).toBe('attachment; filename="deliveries.csv"')
    expect([...rawPayload.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const rows: Record<string, string>[] = parse(rawPayload, { bom: true, columns: true })
    expect(Object.keys(rows[0]!)).toEqual([
      'subjectId',
      'uid',
      'reminder',
      'channel',
      'state',
      'reason',
      'at',
    ])
    const all = await api.database.db.selectFrom('delivery').select('subject_id').execute()
    expect(rows.length).toBeGreaterThanOrEqual(people)
    expect(new Set(rows.map(({ subjectId }) => subjectId))).toEqual(new Set(all.map((row) => row.subject_id)))
    const uids = rows.map(({ uid }) => uid)
    expect(uids).toContain(`'${formula}`)
    expect(uids).toContain('學生，"甲"')
    expect(rows[0]).toMatchObject({ reminder: 'false', channel: 'chat', state: 'sent', reason: '' })
    const { details } = await api.database.db
      .selectFrom('audit')
      .select('details')
      .where('action', '=', 'read')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(details).toEqual({ what: 'deliveries', format: 'csv', count: rows.length })
  })

  it('are refused as JSON, and are JSON to whoever does not ask for a table', async () => {
    const { id } = await insertSentMessage(api, newMessage)
    const url = `/v1/messages/${id}/deliveries`
    const refused = await asTable(url, api.keys.a)
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'forbidden'])
    for (const accept of ['application/json', '*/*'])
      expect((await asTable(url, api.keys.individual, accept)).json().items.length).toBeGreaterThan(0)
  })
})

it('the answers to a message as a table have their columns, also where there are none', async () => {
  const { id } = await insertSentMessage(api, newMessage)
  const { payload } = await asTable(`/v1/messages/${id}/answers?q=nobody`, api.keys.individual)
  expect(payload).toBe('\uFEFF編號,姓名,回覆時間（Asia/Taipei）\r\n')
})
