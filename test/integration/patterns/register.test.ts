import { randomUUID } from 'node:crypto'
import { sql, type Updateable } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { advanceRun } from '../../../src/activities/scenario/advance-run.ts'
import { eraseSubject } from '../../../src/db/queries/erasure/record.ts'
import { findRetimed, wakeRetimed } from '../../../src/db/queries/pattern/deadline.ts'
import { changePattern } from '../../../src/db/queries/pattern/pattern.ts'
import { findAnsweredRun, lockAnsweredRun } from '../../../src/db/queries/scenario-run/answer.ts'
import { endRuns } from '../../../src/db/queries/scenario-run/end.ts'
import type { LinkedTurn } from '../../../src/db/queries/scenario-run/linked-turn.ts'
import type { TurnTable } from '../../../src/db/tables/scenario.ts'
import { findOption } from '../../../src/domain/content/option.ts'
import type { AutoReply } from '../../../src/domain/scenario/auto-reply.ts'
import type { Services } from '../../../src/services/context.ts'
import { emptyForm } from '../../../src/services/links/answer-page.ts'
import { buttonState, pressTurnButton } from '../../../src/services/links/turn-answers.ts'
import { findTurnButton } from '../../../src/services/links/turn-button.ts'
import { register } from '../../../src/services/patterns/register.ts'
import { wakePatternRuns } from '../../../src/services/patterns/wake-runs.ts'
import { pressButton } from '../../../src/services/scenario-runs/record-answer.ts'
import { startByButton } from '../../../src/services/scenario-runs/start-by-person.ts'
import { contentFor } from '../../fixtures/cleared.ts'
import { storeEvent, tapOf, typeText, workOff } from '../../fixtures/conversations.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { type InsertedPattern, insertPattern, placesIn, walkOn } from '../../fixtures/patterns.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { servicesOn } from '../../fixtures/services.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'
import { holdTransaction } from '../../harness/lock-waits.ts'

let services: Services
let pattern: InsertedPattern
const woken: string[] = []
/** What people were told at once by the tokens of their events. */
const replies: string[] = []
const fresh = forFile(freshDatabase)
beforeAll(async () => {
  services = servicesOn(fresh.db, {
    wake: (_kind, id) => void woken.push(id),
    replyChat: async ({ content: messages }) => {
      replies.push(JSON.stringify(contentFor(messages)))
      return { kind: 'accepted' }
    },
  })
})
afterAll(async () => {
  await services.outbound.close()
})
beforeEach(async () => {
  pattern = await insertPattern(fresh.db)
})

/** A run that has asked for a place. */
async function ask(columns: object = {}): Promise<string> {
  const { scenario } = pattern
  const id = await insertScenarioRun(fresh.db, { scenario, columns: { node: 'take', ...columns } })
  await walkOn(services, id)
  return id
}

const nodeOf = async (id: string) => (await scenarioRunRow(fresh.db, id)).node
const states = async () => (await placesIn(fresh.db, pattern.id)).map(({ state }) => state)

async function personOf(id: string) {
  const { subject_id: subjectId } = await scenarioRunRow(fresh.db, id)
  const { address, uid } = await fresh.db
    .selectFrom('address')
    .innerJoin('subject', 'subject.id', 'subject_id')
    .select(['address', 'uid'])
    .where('subject_id', '=', subjectId!)
    .executeTakeFirstOrThrow()
  return { subjectId: subjectId!, address, uid }
}

function hearing() {
  return { db: fresh.db, parts: services, wake: services.wake }
}

async function tap(id: string, node: string): Promise<string | null> {
  const { address } = await personOf(id)
  const outcome = await workOff(hearing(), await storeEvent(fresh, address, tapOf(id, '0', node)))
  await walkOn(services, id)
  return outcome
}

/** A person types that they leave. Returns what they are told. */
async function leave(id: string): Promise<string> {
  const { address } = await personOf(id)
  const message = { type: 'text', text: '取消' }
  const event = await storeEvent(fresh, address, { type: 'message', replyToken: randomUUID(), message })
  expect(await workOff(hearing(), event)).toBe('left')
  return replies.at(-1)!
}

/** What a person is told who taps the first option of a node. */
async function told(id: string, node: string): Promise<AutoReply | undefined> {
  const { subjectId } = await personOf(id)
  return fresh.db.transaction().execute(async (trx) => {
    const run = (await lockAnsweredRun(trx, { runId: id, subjectId, node }))!
    const option = findOption(run.says!.messages, 0, '0')!
    const { words } = await pressButton(trx, run, option, {
      at: run.now,
      webhookEventId: null,
    })
    return words
  })
}

/** What the page of a button in a mail shows. */
async function pressInMail(runId: string, node: string) {
  const { subjectId } = await personOf(runId)
  const { says } = (await findAnsweredRun(fresh.db, { runId, subjectId, node }))!
  const turn = { runId, subjectId, says: [says!] } as LinkedTurn
  const pressed = await pressTurnButton(services, turn, findTurnButton(turn, 0, '0')!, emptyForm)
  expect(await buttonState(fresh.db, turn, findTurnButton(turn, 0, '0')!)).toEqual(pressed)
  return pressed
}

/** A round of the background task, and the runs that it wakes. */
async function round(): Promise<string[]> {
  woken.length = 0
  await wakePatternRuns(services)
  const ids = [...woken]
  for (const id of ids) await walkOn(services, id)
  return ids
}

const moveDeadline = (to: string) =>
  sql`update pattern set deadline = clock_timestamp() + ${to}::interval, retimed_at = clock_timestamp()
    where id = ${pattern.id}`.execute(fresh.db)

async function expectSound() {
  expect(await brokenInvariants(fresh.db)).toEqual([])
}

describe('the waiting list', () => {
  it('takes who comes when no place is left, and says so', async () => {
    const [first, second] = [await ask(), await ask()]
    expect([await nodeOf(first), await nodeOf(second)]).toEqual(['in', 'take'])
    expect(await states()).toEqual(['registered', 'waitlisted'])
    expect(await scenarioRunRow(fresh.db, second)).toMatchObject({ state: 'waiting' })
    const told = fresh.db.selectFrom('turn').select('says').where('run_id', '=', second)
    expect(JSON.stringify((await told.executeTakeFirstOrThrow()).says)).toContain('您在候補名單上')
    await expectSound()
  })

  it('moves up in order when somebody withdraws; the round tells who got the place', async () => {
    const [first, second, third] = [await ask(), await ask(), await ask()]
    expect(await tap(first, 'in')).toBe('answered')
    expect(await nodeOf(first)).toBe('end')
    expect(await states()).toEqual(['withdrawn', 'registered', 'waitlisted'])
    expect(await nodeOf(second)).toBe('take')
    expect(await round()).toEqual([second])
    expect([await nodeOf(second), await nodeOf(third)]).toEqual(['in', 'take'])
    expect(await round()).toEqual([])
    await expectSound()
  })

  it('moves up when somebody is erased', async () => {
    const [first, second] = [await ask(), await ask()]
    await erase(first)
    expect(await round()).toEqual([second])
    expect(await nodeOf(second)).toBe('in')
    expect(await states()).toEqual(['withdrawn', 'registered'])
    await expectSound()
  })

  it('moves up when a run ends that has not seen its place yet', async () => {
    const [first, second, third] = [await ask(), await ask(), await ask()]
    await tap(first, 'in')
    await end(second)
    expect(await states()).toEqual(['withdrawn', 'withdrawn', 'registered'])
    expect(await round()).toEqual([third])
    await expectSound()
  })

  it('can be left by the button, by typing, and by leaving the conversation', async () => {
    await ask()
    const [byTap, byText, byLeaving] = [await ask(), await ask(), await ask()]
    expect(await tap(byTap, 'take')).toBe('answered')
    expect(await typeText(hearing(), await personOf(byText), 'withdraw')).toBe('answered')
    await walkOn(services, byText)
    expect(await typeText(hearing(), await personOf(byLeaving), '取消')).toBe('left')
    expect(await states()).toEqual(['registered', 'withdrawn', 'withdrawn', 'withdrawn'])
    expect(await nodeOf(byTap)).toBe('end')
    await expectSound()
  })

  it('tells who got a place in a transaction that their run did not see', async () => {
    const first = await ask()
    const second = await ask(earlier)
    const { subjectId: id, uid } = await personOf(first)
    const commit = await holdTransaction(fresh.db, (trx) => eraseSubject(trx, { id, uid }))
    await comeAgain(second)
    await walkOn(services, second)
    await commit()
    expect(await nodeOf(second)).toBe('take')
    expect(await round()).toEqual([second])
    expect(await nodeOf(second)).toBe('in')
  })

  it('wakes who got a place, however long the promotion took to commit', async () => {
    const [first, second] = [await ask(), await ask()]
    const { subjectId: id, uid } = await personOf(first)
    const commit = await holdTransaction(fresh.db, (trx) => eraseSubject(trx, { id, uid }))
    await readAgain(second)
    await commit()
    expect(await round()).toEqual([second])
    expect(await nodeOf(second)).toBe('in')
    expect(await round()).toEqual([])
  })

  it('wakes a run that reads its row while the round looks for it', async () => {
    const [first, second] = [await ask(), await ask()]
    await tap(first, 'in')
    await sql`update scenario_run set version = version + 1 where id = ${second}`.execute(fresh.db)
    expect(await round()).toEqual([second])
    expect(await nodeOf(second)).toBe('in')
  })

  it('is left by who blocks the account, unless they can be told by mail', async () => {
    await ask()
    const [second, third, byMail] = [await ask(), await ask(), await ask()]
    const category = fresh.db.updateTable('category').where('id', '=', pattern.scenario.categoryId)
    const plan = (mode: string, channels: string[]) =>
      category.set({ channel_plan: JSON.stringify({ mode, channels }) }).execute()
    await plan('first_available', ['chat', 'email'])
    const { subjectId, address } = await personOf(byMail)
    await fresh.db
      .insertInto('address')
      .values({ subject_id: subjectId, channel: 'email', address: `${subjectId}@example.edu` })
      .execute()
    for (const chat of [(await personOf(second)).address, address])
      expect(await workOff(hearing(), await storeEvent(fresh, chat, { type: 'unfollow' }))).toBe('blocked')
    await plan('all', ['chat'])
    expect(await states()).toEqual(['registered', 'withdrawn', 'waitlisted', 'waitlisted'])
    expect(await scenarioRunRow(fresh.db, second)).toMatchObject({ state: 'cancelled', reason: 'blocked' })
    expect([await nodeOf(third), await nodeOf(byMail)]).toEqual(['take', 'take'])
    await expectSound()
  })

  it('hears who stops waiting before they could be told of their place', async () => {
    const [first, second, third] = [await ask(), await ask(), await ask()]
    await tap(first, 'in')
    expect(await tap(second, 'take')).toBe('answered')
    expect(await nodeOf(second)).toBe('end')
    expect(await states()).toEqual(['withdrawn', 'withdrawn', 'registered'])
    expect(await round()).toEqual([third])
    await expectSound()
  })

  it('answers what comes too late with what holds: the place, or the deadline', async () => {
    const [first, second] = [await ask(), await ask()]
    await tap(first, 'in')
    await round()
    expect(await nodeOf(second)).toBe('in')
    expect(await told(second, 'take')).toEqual({ kind: 'registered' })
    expect(await pressInMail(second, 'take')).toEqual({ state: 'registered' })
    await moveDeadline('-1 second')
    expect(await told(second, 'take')).toEqual({ kind: 'closed' })
    expect(await pressInMail(second, 'take')).toEqual({ state: 'over' })
    expect(await tap(second, 'take')).toBe('late')
    expect(await states()).toEqual(['withdrawn', 'registered'])
    await expectSound()
  })

  it('says what is left to who leaves the conversation: their place, or none', async () => {
    const [first, second, third] = [await ask(), await ask(), await ask()]
    expect(await leave(third)).toMatch(/也為您取消了候補/)
    const { id: scenarioId } = pattern.scenario
    await fresh.db.updateTable('scenario').set({ state: 'paused' }).where('id', '=', scenarioId).execute()
    expect(await leave(first)).toMatch(/您仍在名單上。"/)
    expect(await states()).toEqual(['registered', 'waitlisted', 'withdrawn'])
    expect(await told(first, 'in')).toEqual({ kind: 'registered_before', keyword: null })
    expect(await pressInMail(first, 'in')).toEqual({ state: 'registered_before' })
    const again = await insertScenarioRun(fresh.db, {
      ...{ scenario: pattern.scenario, columns: { node: 'take' } },
      subjectId: (await personOf(first)).subjectId,
    })
    await walkOn(services, again)
    expect(await told(first, 'in')).toEqual({ kind: 'registered' })
    await tap(again, 'in')
    // They have got the place that the first has given up, and have not been told of it.
    expect(await leave(second)).toMatch(/也為您取消了候補/)
    expect(await states()).toEqual(['withdrawn', 'withdrawn', 'withdrawn'])
    await expectSound()
  })

  it('asks who leaves whether to give up the place, and their own buttons do it until the deadline', async () => {
    const [first, second] = [await ask(), await ask()]
    expect(await leave(first)).toMatch(/您仍在名單上。要更改或取消嗎？".*"label":"取消報名"/)
    const { subjectId } = await personOf(first)
    const at = { runId: first, subjectId, node: 'in' }
    const turn = { ...at, says: [(await findAnsweredRun(fresh.db, at))!.says!] } as unknown as LinkedTurn
    expect(await buttonState(fresh.db, turn, findTurnButton(turn, 0, '0')!)).toEqual({ state: 'open' })
    expect(await tap(first, 'in')).toBe('answered')
    const again = (await fresh.db
      .selectFrom('scenario_run')
      .select('id')
      .where('subject_id', '=', subjectId)
      .where('closed_at', 'is', null)
      .executeTakeFirst())!
    await walkOn(services, again.id)
    expect(await states()).toEqual(['withdrawn', 'registered'])
    expect(await round()).toEqual([second])
    await walkOn(services, second)
    await leave(second)
    await moveDeadline('-1 second')
    expect(await told(second, 'in')).toEqual({ kind: 'closed' })
    await expectSound()
  })

  it('moves up when a run ends between getting its place and telling it', async () => {
    const [first, second, third] = [await ask(), await ask(), await ask()]
    await tap(first, 'in')
    const { subjectId } = await personOf(second)
    const asking = { id: second, patternId: pattern.id, subjectId, test: false }
    expect(await register(fresh.db, asking, { withdraw: false, waits: true })).toBe('registered')
    await end(second)
    expect(await states()).toEqual(['withdrawn', 'withdrawn', 'registered'])
    expect(await round()).toEqual([third])
    await expectSound()
  })

  it('moves up when nobody can tell who got a place of it', async () => {
    const [first, second, third] = [await ask(), await ask(), await ask()]
    await tap(first, 'in')
    await readPosition(second)
    expect(await states()).toEqual(['withdrawn', 'registered', 'waitlisted'])
    await settle(second, { state: 'skipped', reason: 'preferenceOff', closed_at: new Date() })
    await walkOn(services, second)
    expect(await scenarioRunRow(fresh.db, second)).toMatchObject({ state: 'failed', reason: 'preferenceOff' })
    expect(await states()).toEqual(['withdrawn', 'withdrawn', 'registered'])
    expect(await round()).toEqual([third])
    expect(await nodeOf(third)).toBe('in')
    await expectSound()
  })

  it('stays as it is when a run ends that may have told of the place', async () => {
    const [first, second] = [await ask(), await ask()]
    await ask()
    await tap(first, 'in')
    await readPosition(second)
    await settle(second, { first_try_at: new Date(), tries: 1, unclear: true })
    expect(await leave(second)).toMatch(/您仍在名單上/)
    expect(await states()).toEqual(['withdrawn', 'registered', 'waitlisted'])
    await expectSound()
  })

  it('tells of the place at once, also in quiet hours, when the person comes again', async () => {
    const [first, second] = [await ask(), await ask(earlier)]
    await tap(first, 'in')
    await readPosition(second)
    await settle(second, { next_try_at: new Date(Date.now() + 3_600_000) })
    expect(await comeAgain(second)).toEqual([second])
    const turn = fresh.db
      .selectFrom('turn')
      .select(['answers_person', 'next_try_at'])
      .orderBy('number', 'desc')
    expect(await turn.where('run_id', '=', second).executeTakeFirst()).toEqual({
      answers_person: true,
      next_try_at: null,
    })
    await walkOn(services, second)
    expect(await states()).toEqual(['withdrawn', 'registered'])
    await end(second)
    expect(await states()).toEqual(['withdrawn', 'registered'])
    await expectSound()
  })

  it('ends at the deadline, which may be moved: the places stay', async () => {
    const [first, second] = [await ask(), await ask()]
    await moveDeadline('-1 second')
    expect((await round()).sort()).toEqual([first, second].sort())
    expect([await nodeOf(first), await nodeOf(second)]).toEqual(['end', 'end'])
    expect(await states()).toEqual(['registered', 'not_admitted'])
    expect(await nodeOf(await ask())).toBe('end')
    expect(await states()).toEqual(['registered', 'not_admitted'])
    await expectSound()
  })

  it('waits on where the deadline is moved to a later time', async () => {
    await moveDeadline('1 hour')
    await ask()
    const waiting = await ask()
    const before = await scenarioRunRow(fresh.db, waiting)
    await moveDeadline('2 hours')
    expect(await round()).toContain(waiting)
    const { deadline, node } = await scenarioRunRow(fresh.db, waiting)
    expect(node).toBe('take')
    expect(deadline!.getTime()).toBeGreaterThan(before.deadline!.getTime())
  })

  it('ends at a nearer deadline, however long its change took to commit', async () => {
    await ask()
    const waiting = await ask()
    const commit = await holdTransaction(fresh.db, (trx) =>
      changePattern(trx, pattern.id, { deadline: new Date(Date.now() - 1_000) }),
    )
    await readAgain(waiting)
    await commit()
    expect(await round()).toContain(waiting)
    expect(await nodeOf(waiting)).toBe('end')
    expect(await round()).toEqual([])
  })

  it('reads the deadline once more that changes while its runs are woken', async () => {
    const ids = [await ask(), await ask(), await ask()].sort()
    const nearer = { deadline: new Date(Date.now() - 1_000) }
    await moveDeadline('1 hour')
    const slice = async () => {
      const retimed = await findRetimed(fresh.db)
      return retimed ? fresh.db.transaction().execute((trx) => wakeRetimed(trx, retimed, 2)) : null
    }
    expect(await slice()).toEqual(ids.slice(0, 2))
    await fresh.db.transaction().execute((trx) => changePattern(trx, pattern.id, nearer))
    expect(await slice()).toEqual(ids.slice(0, 2))
    expect(await slice()).toEqual(ids.slice(2))
    expect(await slice()).toBe(null)
  })

  it('wakes the runs of other patterns, while those of one cannot be woken', async () => {
    await ask()
    await moveDeadline('1 hour')
    const { db } = fresh
    await sql`create function fails() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`.execute(
      db,
    )
    await sql`create trigger fails before update on scenario_run for each row
      when (old.scenario_id = ${sql.lit(pattern.scenario.id)}) execute function fails()`.execute(db)
    onTestFinished(async () => {
      await sql`drop function fails cascade`.execute(db)
      await db.updateTable('pattern').set({ retimed_at: null }).execute()
    })
    const other = await insertPattern(db)
    await db.updateTable('pattern').set({ retimed_at: new Date() }).where('id', '=', other.id).execute()
    expect(await wakePatternRuns(services)).toBe(false)
    expect((await findRetimed(db))!.id).toBe(other.id)
    expect(await wakePatternRuns(services)).toBe(true)
    expect((await findRetimed(db))!.id).toBe(pattern.id)
  })

  it('says again where the person stands when they come again', async () => {
    await ask()
    const waiting = await ask(earlier)
    expect(await comeAgain(waiting)).toEqual([waiting])
    await walkOn(services, waiting)
    const turns = await textsOf(waiting)
    expect(turns).toHaveLength(2)
    expect(turns[1]).toEqual(turns[0])
    expect(await states()).toEqual(['registered', 'waitlisted'])
  })

  it('keeps the place of who comes again before they could be told of it, and tells them', async () => {
    const first = await ask()
    const [second, third] = [await ask(earlier), await ask()]
    await tap(first, 'in')
    expect(await comeAgain(second)).toEqual([second])
    await walkOn(services, second)
    expect(await nodeOf(second)).toBe('in')
    expect((await textsOf(second)).map((says) => says?.map(({ node }) => node))).toEqual([['take'], ['in']])
    expect(await states()).toEqual(['withdrawn', 'registered', 'waitlisted'])
    expect(await round()).toEqual([])
    expect(await nodeOf(third)).toBe('take')
    await expectSound()
  })
})

describe('a place', () => {
  it('is kept by who comes again, and by an erased person once it is closed', async () => {
    const first = await ask()
    const { subjectId } = await personOf(first)
    await end(first)
    const again = await insertScenarioRun(fresh.db, {
      ...{ scenario: pattern.scenario, subjectId, columns: { node: 'take' } },
    })
    await walkOn(services, again)
    expect(await placesIn(fresh.db, pattern.id)).toMatchObject([{ state: 'registered', run_id: again }])
    await moveDeadline('-1 second')
    await erase(again)
    expect(await placesIn(fresh.db, pattern.id)).toMatchObject([{ state: 'registered', subject_id: null }])
  })

  it('is not taken by a test, nor without consent', async () => {
    const test = await ask({ test: true, occasion: 'test' })
    expect(await nodeOf(test)).toBe('in')
    const category = fresh.db.updateTable('category').where('id', '=', pattern.scenario.categoryId)
    await category.set({ consent_scope: 'admission' }).execute()
    const refused = await ask()
    await category.set({ consent_scope: null }).execute()
    expect(await scenarioRunRow(fresh.db, refused)).toMatchObject({ state: 'failed', reason: 'noConsent' })
    expect(await states()).toEqual([])
  })

  it('counts the last answer of each person', async () => {
    const run = await ask()
    await tap(run, 'in')
    const { subjectId } = await personOf(run)
    const answers = fresh.db.selectFrom('pattern_answer').select(['question', 'option_id', 'subject_id'])
    expect(await answers.where('pattern_id', '=', pattern.id).execute()).toEqual([
      { question: 'in', option_id: 'leave', subject_id: subjectId },
    ])
  })
})

/** A run reads that its person has got a place, and is about to tell them. */
async function readPosition(id: string): Promise<void> {
  await wakePatternRuns(services)
  expect((await advanceRun(services, id))?.at).toBe('turn')
  expect(await nodeOf(id)).toBe('in')
}

/** What has become of what a run is about to tell. */
async function settle(id: string, columns: Updateable<TurnTable>): Promise<void> {
  await updateRows(fresh.db, 'turn', { run_id: id, state: 'pending' }, columns)
}

/** A run reads its row, and writes that it has, a minute after whatever is under way has begun. */
async function readAgain(id: string): Promise<void> {
  await sql`update scenario_run set version = version + 1 where id = ${id}`.execute(fresh.db)
  await walkOn(services, id)
  await sql`update scenario_run set changed_at = clock_timestamp() + interval '1 minute' where id = ${id}`.execute(
    fresh.db,
  )
}

/** Of a run that is no longer so young that a second tap begins nothing. */
const earlier = { created_at: new Date(Date.now() - 120_000) }

/** The person of a run presses the button of the invitation. Returns the runs that it wakes. */
async function comeAgain(id: string): Promise<string[] | null> {
  const { subjectId } = await personOf(id)
  const start = { unitId: pattern.scenario.unitId, subjectId, webhookEventId: null }
  const wakes = await fresh.db.transaction().execute((trx) => startByButton(trx, start, pattern.scenario.id))
  return wakes?.map((run) => run.id) ?? null
}

async function textsOf(id: string) {
  const turns = fresh.db.selectFrom('turn').select('says').where('run_id', '=', id).orderBy('number')
  return (await turns.execute()).map(({ says }) => says)
}

async function erase(id: string): Promise<void> {
  const { subjectId, uid } = await personOf(id)
  await fresh.db.transaction().execute((trx) => eraseSubject(trx, { id: subjectId, uid }))
}

async function end(id: string): Promise<void> {
  await fresh.db
    .transaction()
    .execute((trx) => endRuns(trx, { ids: [id] }, { state: 'cancelled', reason: 'cancelled' }))
}
