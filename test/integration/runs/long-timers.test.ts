import proto from '@temporalio/proto'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTimeSkipping } from '../../../dev/time-skipping.ts'
import type { ObservedStep } from '../../../src/activities/next-step.ts'
import { decideNextStep, type MessageFacts } from '../../../src/domain/next-step.ts'
import { channelTaskQueue, mainTaskQueue } from '../../../src/domain/temporal-names.ts'
import { bundleWorkflows } from '../../../src/temporal/bundle.ts'

Runtime.install({ logger: new DefaultLogger('ERROR') })

const day = 86_400_000

/** A row in memory, on the test server's clock, by which a month passes in milliseconds. */
class Row {
  readonly did: { what: string; at: number }[] = []
  readonly facts: MessageFacts = {
    ...{ state: 'approved', closed: false, scheduleAt: null, expiresAt: null, remindAt: null, quiet: null },
    ...{ holdUntil: null, planned: { chat: 2 }, stepParked: null, wave: null },
  }
}

describe('a run that waits for long', () => {
  let environment: TestWorkflowEnvironment
  let running: { workers: Worker[]; done: Promise<unknown> }
  let row: Row
  const now = () => environment.currentTimeMs()

  beforeAll(async () => {
    environment = await startTimeSkipping()
    // This server cannot list search attributes, so `registerSearchAttributes` does not work on it.
    const { IndexedValueType } = proto.temporal.api.enums.v1
    const { INDEXED_VALUE_TYPE_KEYWORD: keyword } = IndexedValueType
    await environment.connection.operatorService.addSearchAttributes({
      searchAttributes: { CarillonState: keyword, CarillonProblem: keyword },
    })
    const done = async (what: string) => void row.did.push({ what, at: await now() })
    const nextStep = async (): Promise<ObservedStep> => {
      const { state } = row.facts
      const view = {
        unitId: 'u',
        categoryId: 'grades',
        origin: 'api' as const,
        state,
        version: 1,
        reminder: null,
        parked: null,
        counts: [],
      }
      return { ...decideNextStep(row.facts, await now()), view }
    }
    const ends = (what: string, state: MessageFacts['state']) => async () => {
      await done(what)
      Object.assign(row.facts, { state, closed: true })
      return { more: false, waitMs: 0, closed: true }
    }
    const main = {
      nextStep,
      expireMessage: async () => {
        await done('expire')
        row.facts.state = 'expired'
      },
      finishWave: ends('finish', 'expired'),
    }
    const shared = { connection: environment.nativeConnection, namespace: 'default' }
    const workflowBundle = await bundleWorkflows()
    const workers = await Promise.all([
      Worker.create({ ...shared, taskQueue: mainTaskQueue, workflowBundle, activities: main }),
      Worker.create({
        ...shared,
        taskQueue: channelTaskQueue.chat,
        activities: { sendInOneStep: ends('send', 'sent') },
      }),
    ])
    running = { workers, done: Promise.all(workers.map((worker) => worker.run())) }
  })
  afterAll(async () => {
    for (const worker of running.workers) worker.shutdown()
    await running.done
    await environment.teardown()
  })

  const run = (workflowId: string) =>
    environment.client.workflow.execute('messageIntent', {
      taskQueue: mainTaskQueue,
      workflowId,
      args: ['id'],
    })

  it('sends a message that is due in thirty days, on the day and not before', async () => {
    row = new Row()
    const due = (await now()) + 30 * day
    row.facts.scheduleAt = due
    expect(await run('thirty-days')).toBe('sent')
    expect(row.did).toEqual([{ what: 'send', at: expect.any(Number) }])
    expect(row.did[0]!.at).toBeGreaterThanOrEqual(due)
    expect(row.did[0]!.at).toBeLessThan(due + day)
  })

  it('expires a message after a year without an approval, and sends nothing', async () => {
    row = new Row()
    const end = (await now()) + 365 * day
    Object.assign(row.facts, { state: 'submitted', expiresAt: end })
    expect(await run('a-year')).toBe('expired')
    expect(row.did.map(({ what }) => what)).toEqual(['expire', 'finish'])
    expect(row.did[0]!.at).toBeGreaterThanOrEqual(end)
  })

  it('waits for years, a year at a time', async () => {
    row = new Row()
    const end = (await now()) + 5 * 365 * day
    row.facts.scheduleAt = end
    expect(await run('years')).toBe('sent')
    expect(row.did[0]!.at).toBeGreaterThanOrEqual(end)
  })
})
