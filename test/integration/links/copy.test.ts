import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { linkSigner } from '../../../src/channels/email/links.ts'
import type { LinkTarget } from '../../../src/channels/email/wire.ts'
import { adapters } from '../../../src/channels/index.ts'
import { startApi } from '../../fixtures/api.ts'
import { insertSentMessage, type SentMessage } from '../../fixtures/sent-message.ts'
import { forFile } from '../../harness/for-file.ts'

const links = linkSigner(Buffer.alloc(32, 7))
const messages = [
  { kind: 'text', text: { 'zh-TW': '開放日', en: 'Open day <b>' } },
  { kind: 'quickReply', text: { 'zh-TW': '幾位？' }, options: [{ id: 'one', label: { 'zh-TW': '一位' } }] },
]

let mail: SentMessage
let subjectId: string
const api = forFile(() => startApi({ services: { links, channels: { email: adapters.email } } }))
beforeAll(async () => {
  const body = { categoryId: 'mail', messages, audience: { kind: 'all' } }
  mail = await insertSentMessage(api, body, { channels: ['email'] })
  const batch = { wave_id: mail.waveId, channel: 'email', number: 0, locale: 'en', size: 3 } as const
  await api.database.db.insertInto('batch').values(batch).execute()
  subjectId = (await api.database.db.selectFrom('subject').select('id').executeTakeFirstOrThrow()).id
})

function open(target: LinkTarget = { purpose: 'view' }, method: 'GET' | 'POST' = 'GET') {
  const [token] = links.sign({ waveId: mail.waveId, subjectId }, [target])
  return api.app.inject({ method, url: `/l/${token}` })
}

const run = (text: string) => sql.raw(text).execute(api.database.db)

describe('a mail in the browser', () => {
  it('is what this person got, in the language in which it was sent', async () => {
    await run(`update subject set locale = 'zh-TW'`)
    const { statusCode, headers, body } = await open()
    expect(statusCode).toBe(200)
    expect(body).toContain('Open day &lt;b&gt;')
    expect(body).not.toContain('開放日')
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*form-action 'none'/)
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
  })

  it('lets its reader do nothing: its links say that they work in the mail', async () => {
    const { body } = await open()
    const own = [...body.matchAll(/href="(\/[^"]*|#)"/g)].map(([, url]) => url)
    expect(new Set(own)).toEqual(new Set(['/l/copy', '#']))
    expect(body).not.toMatch(/\/l\/[\w-]{75}/)
    expect((await api.app.inject({ method: 'GET', url: '/l/copy' })).body).toContain(
      'Use the link in your mail',
    )
    expect((await open({ purpose: 'view' }, 'POST')).statusCode).toBe(200)
  })

  it('is gone for who was not sent to, after a year, and with its text', async () => {
    await run(`update delivery set state = 'skipped'`)
    expect((await open()).statusCode).toBe(410)
    await run(`update delivery set state = 'unknown'`)
    expect((await open()).statusCode).toBe(200)
    await run(`update wave set started_at = clock_timestamp() - interval '365 days'`)
    expect((await open()).statusCode).toBe(410)
    await run(`update wave set started_at = clock_timestamp()`)
    await run(`update message_content set compiled = null`)
    const { statusCode, body } = await open()
    expect([statusCode, body.includes('Open day')]).toEqual([410, false])
  })
})
