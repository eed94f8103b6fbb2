import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkChatJournal } from '../../../dev/journal-check/chat.ts'
import type { JournalEntry } from '../../../dev/journal-check/journals.ts'
import { checkLookups, type LookupJournalEntry } from '../../../dev/journal-check/lookups.ts'
import { checkMailJournal } from '../../../dev/journal-check/mail.ts'
import type { TurnTable } from '../../../src/db/tables/scenario.ts'
import { storeEvent } from '../../fixtures/conversations.ts'
import { insertRow, selectRow } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const fresh = forFile(freshDatabase)
beforeEach(async () => {
  for (const table of ['turn', 'lookup'] as const) await fresh.db.deleteFrom(table).execute()
})

const address = `U${randomUUID().replaceAll('-', '')}`

/** A turn that was tried once, by push unless it says otherwise. */
async function turn(columns: Partial<Insertable<TurnTable>> = {}) {
  const runId = await insertScenarioRun(fresh.db)
  const { unit_id, subject_id } = await scenarioRunRow(fresh.db, runId)
  return fresh.db
    .insertInto('turn')
    .values({
      ...{ run_id: runId, number: 1, first_node: 'ask', last_node: 'ask', subject_id, unit_id },
      ...{ state: 'sent', closed_at: new Date(), answers_person: false, locale: 'zh-TW' },
      ...{
        channel: 'chat',
        address,
        by: 'push',
        retry_key: randomUUID(),
        tries: 1,
        first_try_at: new Date(),
      },
      ...columns,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

let seq = 0
const pushOf = (retryKey: string | null, status = 200): JournalEntry => ({
  ...{ seq: ++seq, status, to: [address], retryKey },
})
const replyOf = (replyToken: string): JournalEntry => ({ ...pushOf(null), replyToken })

const brokenOf = (findings: { name: string; ok: boolean }[]) =>
  findings.filter(({ ok }) => !ok).map(({ name }) => name)
const inChat = async (...journal: JournalEntry[]) => brokenOf(await checkChatJournal(fresh.db, journal))

describe('turns against the journal of the chat', () => {
  it('agree if each is there once, repeats that were answered 409 aside', async () => {
    const { retry_key } = await turn()
    expect(await inChat(pushOf(retry_key), pushOf(retry_key, 409))).toEqual([])
  })

  it('differ if one was pushed twice, or was never received', async () => {
    const { retry_key } = await turn()
    expect(await inChat(pushOf(retry_key), pushOf(retry_key))).toEqual(['chat-turns-said-once'])
    expect(await inChat()).toEqual(['chat-turns-sent-were-received'])
  })

  it.each(['skipped', 'failed'] as const)('differ if one that was %s was received', async (state) => {
    const { retry_key } = await turn({ state })
    expect(await inChat(pushOf(retry_key))).toEqual(['chat-turns-said-once'])
  })

  it('differ if one was said by its reply and by push as well', async () => {
    const replyToken = randomUUID()
    const eventId = await storeEvent(fresh, address, { type: 'message', replyToken })
    const { id: reply_event_id } = await selectRow(fresh.db, 'webhook_event', { event_id: eventId }, ['id'])
    const { retry_key } = await turn({ by: 'reply', reply_event_id })
    expect(await inChat(replyOf(replyToken))).toEqual([])
    expect(await inChat(replyOf(replyToken), pushOf(retry_key))).toEqual(['chat-turns-said-once'])
  })

  it('differ if a push has the key of no turn', async () => {
    expect(await inChat(pushOf(randomUUID()))).toEqual(['chat-sent-once'])
  })
})

describe('turns against the journal of the mailbox', () => {
  const inMailbox = async (...ids: string[]) => {
    const mails = ids.map((id) => ({ seq: ++seq, messageId: `<${id}.${randomUUID()}@hub.example.edu>` }))
    return brokenOf(await checkMailJournal(fresh.db, mails))
  }

  it('agree if each is there once, and differ otherwise', async () => {
    const { id } = await turn({ channel: 'email', by: 'mail' })
    expect(await inMailbox(id)).toEqual([])
    expect(await inMailbox(id, id)).toEqual(['mail-turns-said-once'])
    expect(await inMailbox()).toEqual(['mail-turns-sent-were-received'])
  })
})

describe('Lookups against the journal of a producer', () => {
  const url = 'http://127.0.0.1:1/lookups/orders'
  const end = { id: 'end', kind: 'end' } as const
  async function lookup(outcome: 'found' | 'timeout', method: 'GET' | 'POST') {
    const scenario = await insertScenario(fresh.db, {
      content: { nodes: [{ id: 'ask', kind: 'lookup', method, url, variables: [] }, end] },
    })
    const run_id = await insertScenarioRun(fresh.db, { scenario })
    const { subject_id } = await scenarioRunRow(fresh.db, run_id)
    await insertRow(fresh.db, 'lookup', { run_id, node: 'ask', outcome, ended_at: new Date() })
    return subject_id!
  }
  const called = (method: string, subject: string): LookupJournalEntry => ({
    ...{ seq: ++seq, method, path: new URL(url).pathname, refusal: null },
    query: method === 'GET' ? `subject=${subject}` : '',
    body: method === 'GET' ? '' : JSON.stringify({ subject }),
  })

  it.each(['GET', 'POST'] as const)(
    'agree if each %s is there once, and differ otherwise',
    async (method) => {
      const entry = await lookup('found', method)
      await lookup('timeout', method) // may not have arrived
      const broken = async (...journal: LookupJournalEntry[]) =>
        brokenOf(await checkLookups(fresh.db, journal))
      expect(await broken(called(method, entry))).toEqual([])
      expect(await broken(called(method, entry), called(method, entry))).toEqual(['lookups-made-once'])
      expect(await broken()).toEqual(['lookups-found-were-received'])
    },
  )
})
