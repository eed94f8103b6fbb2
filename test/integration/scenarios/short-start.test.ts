import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { advanceRun } from '../../../src/activities/scenario/advance-run.ts'
import { sumFailedSends } from '../../../src/db/queries/delivery/shortfall.ts'
import { sendNextAuthorNotice } from '../../../src/services/notices/send.ts'
import { endNextStart } from '../../../src/services/scenario-runs/end-starts.ts'
import { contentFor } from '../../fixtures/cleared.ts'
import { conversation, text } from '../../fixtures/conversations.ts'
import { logLines } from '../../fixtures/log-lines.ts'
import { sendNotices } from '../../fixtures/notice-mails.ts'
import { textOf } from '../../fixtures/pages.ts'
import { selectRow } from '../../fixtures/rows.ts'
import { insertScenario } from '../../fixtures/scenario-rows.ts'
import { type SignInFixture, startSignIn } from '../../fixtures/sign-in.ts'
import { signedIn } from '../../fixtures/sign-in-browser.ts'
import { forFile } from '../../harness/for-file.ts'

/** A start of many conversations is a send: one that failed with too many is counted, mailed, logged and shown. */

const { log, lines } = logLines()
const fixture = forFile(() => startSignIn({ log }))
let api: SignInFixture['api']
let editor: string
let approver: string
beforeAll(async () => {
  ;({ api } = fixture)
  await sql`update person set language = 'en'`.execute(api.database.db)
  const idOf = async (name: string) => (await selectRow(api.database.db, 'person', { name }, ['id'])).id
  ;[editor, approver] = [await idOf('Editor'), await idOf('Approver')]
})
beforeEach(async () => {
  await sql`delete from author_notice`.execute(api.database.db)
  await sql`update scenario_start set shortfall = null, watch_at = null`.execute(api.database.db)
})

/** Starts a conversation with so many new people; the start and its runs. */
async function start(people: number, content: object = conversation) {
  const { db } = api.database
  const scenario = await insertScenario(db, {
    ...{ unitId: api.units.a, categoryId: 'manual', name: 'Open day' },
    content: content as typeof conversation,
  })
  await sql`update scenario_version set authors = ${[`person:${editor}`]}, decided_by = ${`person:${approver}`}
    where scenario_id = ${scenario.id}`.execute(db)
  const uids = Array.from({ length: people }, () => randomUUID())
  await sql`with made as (insert into subject (uid, roles) select unnest(${uids}::text[]), '{student}' returning id)
    insert into address (subject_id, channel, address) select id, 'chat', 'U' || id from made`.execute(db)
  const body = { subjectUids: uids }
  const started = await api.call('startRuns', { key: api.keys.individual, id: scenario.id, body })
  expect(started.body).toMatchObject({ started: people })
  const ids: string[] = started.body.items.map(({ id }: { id: string }) => id)
  const { id: startId } = await selectRow(db, 'scenario_start', { scenario_id: scenario.id }, ['id'])
  return { scenarioId: scenario.id, startId, ids }
}

/** What a run has said, with this outcome, in rows as its workflow leaves them. */
async function addTurns(ids: string[], state: 'sent' | 'failed' | 'unknown', reason: string | null = null) {
  await sql`insert into turn (run_id, number, first_node, last_node, unit_id, answers_person, locale, state, reason, channel, closed_at)
    select id, 1, 'hello', 'hello', unit_id, false, 'en', ${state}, ${reason}, 'chat', now()
    from scenario_run where id = any(${ids}::uuid[])`.execute(api.database.db)
}

async function ended(ids: string[], state: 'done' | 'failed', reason: string | null = null) {
  await sql`update scenario_run set state = ${state}, reason = ${reason}, closed_at = now(), queued_at = null
    where id = any(${ids}::uuid[])`.execute(api.database.db)
}

const count = async () => {
  await sql`update scenario_start set watch_at = now() where watch_at is not null`.execute(api.database.db)
  while (await endNextStart(api.services)) {}
}

const shortStartOf = async (id: string) =>
  (await api.call('getScenario', { session: api.sessions.editor, id })).body.shortStart

const row = (id: string) =>
  selectRow(api.database.db, 'scenario_start', { id }, ['watch_at', 'ended_at', 'shortfall'])

const mails = () => sendNotices(sendNextAuthorNotice, api.services)

describe('a start that failed with all', () => {
  it('is counted, mailed to its author and approver, logged, in health, and on its page', async () => {
    const broken = {
      ...conversation,
      nodes: [
        { id: 'hello', kind: 'message', messages: [text('{{ nowhere }}')] },
        ...conversation.nodes.slice(1),
      ],
    }
    const { scenarioId, startId, ids } = await start(24, broken)
    for (const id of ids) await advanceRun(api.services, id)
    await count()
    const reasons = [{ channel: 'chat', reason: 'missing_variable', deliveries: 24 }]
    expect(await shortStartOf(scenarioId)).toEqual({
      ...{ startedAt: expect.any(String), people: 24, reached: 0, reasons },
    })

    const told = new Map((await mails()).map(({ to, content }) => [to[0]!.subjectId, contentFor(content)]))
    expect([...told.keys()].sort()).toEqual([editor, approver].sort())
    expect(told.get(editor)!.subject).toBe('Conversations failed: Open day')
    const words = told.get(editor)!.text.join('')
    expect(words).toContain('The conversations of this start failed with 24 of 24 people. Why:')
    expect(words).toContain('Chat: 24, the conversation could not go on at a node (missing_variable)')
    expect(words).toContain(`/approvals/scenario/${scenarioId}`)
    expect(told.get(approver)!.text.join('')).toContain('You receive this mail because you approved')

    expect(lines.find((line) => line.startId === startId)).toMatchObject({
      ...{ level: 40, scenarioId, unitId: api.units.a, people: 24, reached: 0, reasons },
    })
    expect(await sumFailedSends(api.database.db)).toMatchObject({
      sends: 1,
      alerted: 1,
      people: 24,
      reached: 0,
    })
    const { body } = await api.call('getHealth')
    expect(body).toMatchObject({ status: 'degraded', failedSends: { sends: 1, people: 24, reasons } })
    const page = await signedIn(api.sessions.editor).open(
      `${fixture.baseUrl}/approvals/scenario/${scenarioId}`,
    )
    expect(textOf(page)).toMatch(
      /The conversations started at .* failed with 24 of 24 people \(the conversation could not go on at a node\)\./,
    )

    // Once.
    await count()
    expect(await mails()).toEqual([])
    expect(await row(startId)).toMatchObject({ watch_at: null, ended_at: expect.any(Date) })
  })
})

describe('a start of 30', () => {
  it.each([
    [3, true],
    [2, false],
  ])('of which %i failed is short: %s', async (failed, isShort) => {
    const { scenarioId, ids } = await start(30)
    await addTurns(ids.slice(0, failed), 'failed', 'bad_address')
    await addTurns(ids.slice(failed), 'sent')
    await count()
    const expected = {
      people: 30,
      reached: 30 - failed,
      reasons: [{ reason: 'bad_address', deliveries: failed }],
    }
    if (isShort) expect(await shortStartOf(scenarioId)).toMatchObject(expected)
    else expect(await shortStartOf(scenarioId)).toBeUndefined()
    expect(await mails()).toHaveLength(isShort ? 2 : 0)
  })

  it('is looked at until each was told something or cannot be, and again until all are over', async () => {
    const { scenarioId, startId, ids } = await start(30)
    await addTurns(ids.slice(0, 10), 'failed', 'bad_address')
    await addTurns(ids.slice(10, 29), 'unknown')
    await count()
    expect([await shortStartOf(scenarioId), (await row(startId)).watch_at]).toEqual([
      undefined,
      expect.any(Date),
    ])
    await addTurns(ids.slice(29), 'sent')
    await count()
    expect(await shortStartOf(scenarioId)).toMatchObject({ people: 30, reached: 20 })

    const later = await start(30)
    await addTurns(later.ids, 'sent')
    await count()
    expect((await row(later.startId)).watch_at).toBeInstanceOf(Date)
    await ended(later.ids.slice(0, 4), 'failed', 'timeout')
    await ended(later.ids.slice(4), 'done')
    await count()
    expect(await shortStartOf(later.scenarioId)).toMatchObject({
      ...{ people: 30, reached: 26, reasons: [{ channel: 'chat', reason: 'timeout', deliveries: 4 }] },
    })

    const sound = await start(30)
    await addTurns(sound.ids, 'sent')
    await ended(sound.ids, 'done')
    await count()
    expect(await row(sound.startId)).toEqual({ watch_at: null, ended_at: expect.any(Date), shortfall: null })
  })

  it('does not count whom it may not write to', async () => {
    const { scenarioId, ids } = await start(30)
    await ended(ids.slice(0, 10), 'failed', 'noConsent')
    await addTurns(ids.slice(10), 'sent')
    await ended(ids.slice(10), 'done')
    await count()
    expect(await shortStartOf(scenarioId)).toBeUndefined()
  })
})

it('a start of fewer than 20 is no send', async () => {
  const { startId, ids } = await start(19)
  expect((await row(startId)).watch_at).toBeNull()
  await addTurns(ids, 'failed', 'bad_address')
  await count()
  expect(await mails()).toEqual([])
})
