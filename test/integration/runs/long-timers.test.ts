import proto from '@temporalio/proto'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTimeSkipping } from '../../../dev/time-skipping.ts'
import type { ObservedStep } from '../../../src/activities/next-step.ts'
import type { ObservedRunStep } from '../../../src/activities/scenario/advance-run.ts'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { decideNextStep, type MessageFacts } from '../../../src/domain/message/next-step.ts'
import { type QuietPeriod, quietHoursEnd } from '../../../src/domain/message/quiet-hours.ts'
import { channelTaskQueue, mainTaskQueue } from '../../../src/domain/run/temporal-names.ts'
import { advance, type RunFacts, type RunMove } from '../../../src/domain/scenario/advance.ts'
import { bundleWorkflows } from '../../../src/temporal/bundle.ts'
import { askedFor, text } from '../../fixtures/conversations.ts'
import { speech } from '../../fixtures/speech.ts'

Runtime.install({ logger: new DefaultLogger('ERROR') })

const day = 86_400_000

/** A row in memory, on the test server's clock, by which a month passes in milliseconds. */
class Row {
  readonly did: { what: string; at: number }[] = []
  readonly facts: MessageFacts = {
    ...{ state: 'approved', closed: false, scheduleAt: null, expiresAt: null, remindAt: null, quiet: null },
    ...{ holdUntil: null, paced: false, planned: { chat: 2 }, stepParked: null, wave: null },
  }
}

/** A run of a scenario in memory, which moves as its rows do. */
class Talk {
  /** The nodes of each turn, and when it was said. */
  readonly said: { nodes: string[]; at: number }[] = []
  quiet: QuietPeriod | null = null
  readonly facts: RunFacts
  #version = 1
  #nodes: string[] = []

  constructor(graph: ScenarioContent) {
    this.facts = {
      ...{
        state: 'running',
        ending: null,
        node: graph.nodes[0]!.id,
        deadline: null,
        jumps: 0,
        jumpedThrough: [],
      },
      ...{ values: { variables: {}, answers: {}, lookupError: null }, stepParkedUntil: null },
      scenario: { state: 'active', graph, farewell: null },
      ...{ answersPerson: false, spokeLast: false },
      person: { subjectId: 's', displayName: null, locale: 'zh-TW', stage: 'member' },
      ...{
        consent: true,
        firstChannel: 'chat',
        turn: null,
        answer: null,
        looked: null,
        handoff: null,
        pendingEvents: false,
      },
      ...{ groups: [], jumpable: [], pattern: null, registered: null },
    }
  }

  /** What `advanceRun` does with the row. */
  goOn(now: number): ObservedRunStep {
    const { move, step } = advance(this.facts, now, speech)
    if (step.do === 'register') throw new Error('the scenario belongs to no pattern')
    if (move) this.#write(move)
    const { state, node } = this.facts
    const view = { unitId: 'u', categoryId: 'advice', problem: null, path: [node], version: this.#version }
    return { ...step, view: { ...view, state } }
  }

  #write({ state, node, deadline, values, turn }: RunMove): void {
    const answer = node === this.facts.node ? this.facts.answer : null
    Object.assign(this.facts, { state, node, deadline, values, answer })
    this.#version += 1
    if (!turn) return
    this.#nodes = turn.says.map((saying) => saying.node)
    const pending = {
      state: 'pending' as const,
      reason: null,
      closedAt: null,
      nextTryAt: null,
      problem: null,
    }
    this.facts.turn = { lastNode: node, channel: 'chat', ...pending }
  }

  /** What `sayTurn` does: says what is pending, after the quiet hours. */
  say(now: number): void {
    const turn = this.facts.turn!
    const quietEnd = this.quiet && quietHoursEnd(this.quiet, now)
    if (quietEnd === null) {
      Object.assign(turn, { state: 'sent', closedAt: now })
      this.said.push({ nodes: this.#nodes, at: now })
    } else turn.nextTryAt = quietEnd
    this.#version += 1
  }

  hear(optionId: string): void {
    this.facts.answer = { optionId, text: null }
    this.#version += 1
  }
}

/** Waits so long (s), and then says something. */
const rested = (seconds: number): ScenarioContent => ({
  nodes: [
    { id: 'rest', kind: 'wait', seconds },
    { id: 'hello', kind: 'message', messages: [text('好久不見')] },
    { id: 'end', kind: 'end' },
  ],
  edges: [
    { from: 'rest', to: 'hello' },
    { from: 'hello', to: 'end' },
  ],
})

describe('a run that waits for long', () => {
  let environment: TestWorkflowEnvironment
  let running: { workers: Worker[]; done: Promise<unknown> }
  let row: Row
  let talk: Talk
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
      advanceRun: async () => talk.goOn(await now()),
    }
    const chat = {
      sendInOneStep: ends('send', 'sent'),
      sayTurn: async () => {
        talk.say(await now())
        return talk.goOn(await now())
      },
    }
    const shared = { connection: environment.nativeConnection, namespace: 'default' }
    const workflowBundle = await bundleWorkflows()
    const workers = await Promise.all([
      Worker.create({ ...shared, taskQueue: mainTaskQueue, workflowBundle, activities: main }),
      Worker.create({ ...shared, taskQueue: channelTaskQueue('chat'), activities: chat }),
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

  const converse = (workflowId: string, about: Talk) => {
    talk = about
    return environment.client.workflow.start('scenarioRun', {
      taskQueue: mainTaskQueue,
      workflowId,
      args: ['id'],
    })
  }

  it('leaves a question by its time-out after a year, not before', async () => {
    const asking = new Talk(askedFor((365 * day) / 1_000))
    expect(await (await converse('unanswered', asking)).result()).toBe('done')
    const [asked, late] = asking.said
    expect(asking.said.map(({ nodes }) => nodes)).toEqual([['hello', 'ask'], ['late']])
    expect(late!.at).toBeGreaterThanOrEqual(asked!.at + 365 * day)
    expect(late!.at).toBeLessThan(asked!.at + 366 * day)
  })

  it('takes an answer after eleven months', async () => {
    const asking = new Talk(askedFor((365 * day) / 1_000))
    const run = await converse('answered', asking)
    await environment.sleep(335 * day)
    asking.hear('yes')
    await run.signal('answered')
    expect(await run.result()).toBe('done')
    const [asked, thanked] = asking.said
    expect(asking.said.map(({ nodes }) => nodes)).toEqual([['hello', 'ask'], ['yes']])
    expect(thanked!.at).toBeGreaterThanOrEqual(asked!.at + 334 * day)
    expect(thanked!.at).toBeLessThan(asked!.at + 336 * day)
  })

  it('goes on after a wait of seven months, on the day', async () => {
    const begun = await now()
    const resting = new Talk(rested((210 * day) / 1_000))
    expect(await (await converse('rested', resting)).result()).toBe('done')
    expect(resting.said).toEqual([{ nodes: ['hello'], at: expect.any(Number) }])
    expect(resting.said[0]!.at).toBeGreaterThanOrEqual(begun + 210 * day)
    expect(resting.said[0]!.at).toBeLessThan(begun + 211 * day)
  })

  it('asks after the quiet hours, from when on the question has its time', async () => {
    const begun = await now()
    const clock = (at: number) => new Date(at).toISOString().slice(11, 16)
    const asking = new Talk(askedFor(3_600))
    const hours = { from: clock(begun - day / 24), to: clock(begun + day / 2) }
    asking.quiet = { hours, timeZone: 'UTC' }
    expect(await (await converse('quiet', asking)).result()).toBe('done')
    const [asked, late] = asking.said
    expect(asking.said.map(({ nodes }) => nodes)).toEqual([['hello', 'ask'], ['late']])
    expect(asked!.at).toBeGreaterThanOrEqual(quietHoursEnd(asking.quiet, begun)!)
    expect(asked!.at).toBeLessThan(begun + day)
    expect(late!.at).toBeGreaterThanOrEqual(asked!.at + 3_600_000)
  })
})
