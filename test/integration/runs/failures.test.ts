import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ApplicationFailure } from '@temporalio/activity'
import { beforeAll, describe, expect, it } from 'vitest'
import { busyFailure } from '../../../src/activities/interceptor.ts'
import { ServiceError } from '../../../src/contract/errors.ts'
import { countParked, listParked } from '../../../src/db/queries/run/parked.ts'
import { workflowIdOf } from '../../../src/domain/run/run-kinds.ts'
import { lockMessage } from '../../../src/services/messages/move.ts'
import { retryOrSkip } from '../../../src/services/messages/transitions.ts'
import { insertMessageRows, messageRow } from '../../fixtures/message-rows.ts'
import { openRuns } from '../../fixtures/open-runs.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { payloadsOf } from '../../histories/load.ts'

/** What an error of a mail server, a renderer or a driver may carry. */
const canaries = ['mei.lin@example.edu', '林美玲', 'U0123456789abcdef0123456789abcdef']

describe('an activity that fails', () => {
  const runs = forFile(openRuns)
  beforeAll(async () => {
    await runs.startWorker()
  })

  it('shows Temporal a code and a reference, the log the rest without personal data, and is retried', async () => {
    const cause = Object.assign(new Error(`no such user ${canaries[1]}`), { detail: canaries[2] })
    const message = `550 5.1.1 <${canaries[0]}>: "${canaries[2]}" unknown`
    runs.gate.fails = Object.assign(new Error(message, { cause }), { code: 'EENVELOPE' })
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    const run = runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))

    const failure = await eventually(async () => {
      const [pending] = (await run.describe()).raw.pendingActivities ?? []
      expect(pending?.lastFailure).toBeTruthy()
      return pending!.lastFailure!
    })
    expect(failure.applicationFailureInfo?.type).toBe('EENVELOPE')
    expect(failure.stackTrace ?? '').toBe('')
    const reference = /^EENVELOPE: see the worker's log for reference (\w{12})$/.exec(failure.message!)?.[1]
    const logged = runs.logged.filter((line) => line.includes(reference!))
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('550 5.1.1')

    runs.gate.fails = undefined
    await eventually(async () => expect((await messageRow(runs.db, id)).state).toBe('sent'))
    const texts = [
      ...payloadsOf(await run.fetchHistory()),
      JSON.stringify(await run.fetchHistory()),
      ...runs.logged,
    ]
    for (const canary of canaries) expect(texts.filter((text) => text.includes(canary))).toEqual([])
  })

  const withCode = (code: unknown) => Object.assign(new Error('something'), { code })
  const codes: [code: string, error: Error][] = [
    ['40P01', withCode('40P01')],
    ['ECONNREFUSED', withCode('ECONNREFUSED')],
    ['ETIMEDOUT', Object.assign(new AggregateError([]), { code: 'ETIMEDOUT' })],
    ['EENVELOPE', withCode('EENVELOPE')],
    ['not_found', new ServiceError('not_found', 'No such message.')],
    ['internal', new Error('a bug of ours')],
    ['internal', withCode(14)],
    ['internal', withCode(`550 <${canaries[0]}>`)],
    [busyFailure, ApplicationFailure.create({ type: busyFailure, nextRetryDelay: '100 ms' })],
  ]

  it.each(codes)('shows Temporal the code %s', async (code, error) => {
    runs.gate.fails = error
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    const run = runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))
    await eventually(async () => {
      const [pending] = (await run.describe()).raw.pendingActivities ?? []
      expect(pending?.lastFailure?.applicationFailureInfo?.type).toBe(code)
    })
    runs.gate.fails = undefined
    await eventually(async () => expect((await messageRow(runs.db, id)).state).toBe('sent'))
  })

  it('has no other codes in docs/operating.md', () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
    const [paragraph] = /^A failed step shows (?:.*\n)+?\n/m.exec(page)!
    const explained = new Set([...paragraph.matchAll(/(?<!\[)`(\w+)`/g)].map(([, code]) => code))
    expect([...explained].toSorted()).toEqual([...new Set(codes.map(([code]) => code))].toSorted())
  })

  it('parks its message after twenty failures, where operators see it, until somebody retries', async () => {
    runs.gate.fails = new Error('a bug of ours')
    const id = await insertMessageRows(runs.db)
    await runs.db.updateTable('message').set({ step_failures: 18 }).where('id', '=', id).execute()
    runs.wake('message', id, [{ name: 'approved' }])
    const run = runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))
    await eventually(async () => {
      const { searchAttributes } = await run.describe()
      expect(searchAttributes.CarillonProblem).toEqual(['internal'])
    })
    expect(await messageRow(runs.db, id)).toMatchObject({ problem: 'internal', step_failures: 0 })
    expect(await countParked(runs.db)).toMatchObject({ message: { internal: 1 } })
    expect(await listParked(runs.db, { after: null, limit: 10 })).toMatchObject([
      { id, problem: 'internal', nextTryAt: expect.any(Date) },
    ])
    expect((await run.describe()).raw.pendingActivities ?? []).toEqual([])

    runs.gate.fails = undefined
    const state = await runs.db
      .transaction()
      .execute(async (trx) => retryOrSkip(trx, await lockMessage(trx, id), 'retry', 'operator:cli'))
    expect(state).not.toBe('paused')
    runs.wake('message', id, [{ name: 'retried' }])
    await eventually(async () => expect((await messageRow(runs.db, id)).state).toBe('sent'))
    expect(await messageRow(runs.db, id)).toMatchObject({ problem: null, step_parked_at: null })
  })

  it('is counted anew after a step that succeeded, and not while the database is away', async () => {
    runs.gate.fails = Object.assign(new Error('no connection'), { code: '57P03' })
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    const run = runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))
    await eventually(async () => {
      const [pending] = (await run.describe()).raw.pendingActivities ?? []
      expect(pending?.attempt).toBeGreaterThan(1)
    })
    expect((await messageRow(runs.db, id)).step_failures).toBe(0)
    runs.gate.fails = new Error('a bug of ours')
    await eventually(async () => expect((await messageRow(runs.db, id)).step_failures).toBeGreaterThan(0))
    runs.gate.fails = undefined
    await eventually(async () => expect((await messageRow(runs.db, id)).state).toBe('sent'))
    expect(await messageRow(runs.db, id)).toMatchObject({ step_failures: 0, problem: null })
  })

  it('is retried by another worker within 10 s of its worker’s death, however many died before', async () => {
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    await eventually(async () => expect((await messageRow(runs.db, id)).closed_at).not.toBeNull())
    const { events } = await runs.temporal.client.workflow
      .getHandle(workflowIdOf('message', id))
      .fetchHistory()
    const watched = (events ?? [])
      .map((event) => event.activityTaskScheduledEventAttributes)
      .filter((step) => Number(step?.heartbeatTimeout?.seconds ?? 0) > 0)
    const longest = watched.map((step) =>
      [step?.heartbeatTimeout, step?.retryPolicy?.maximumInterval].map((time) => Number(time?.seconds)),
    )
    expect(longest).not.toEqual([])
    for (const [silence, wait] of longest) expect(silence! + wait!).toBeLessThan(10)
  })

  it('leaves no failure in the history of readMessage, which is a local activity', async () => {
    const id = await insertMessageRows(runs.db, { state: 'submitted' })
    await runs.db.schema.alterTable('wave').renameTo('wave_away').execute()
    runs.wake('message', id, [{ name: 'submitted' }])
    await eventually(() => expect(runs.logged.some((line) => line.includes('42P01'))).toBe(true))
    await runs.db.updateTable('message').set({ expires_at: new Date() }).where('id', '=', id).execute()
    await runs.db.schema.alterTable('wave_away').renameTo('wave').execute()
    await eventually(async () => expect((await messageRow(runs.db, id)).state).toBe('expired'))
    const run = runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))
    expect(JSON.stringify(await run.fetchHistory())).not.toContain('does not exist')
  })
})
