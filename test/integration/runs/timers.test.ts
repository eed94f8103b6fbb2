import { randomUUID } from 'node:crypto'
import type { WorkflowHandle } from '@temporalio/client'
import proto from '@temporalio/proto'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTimeSkipping } from '../../../dev/time-skipping.ts'
import type { MessageReading } from '../../../src/activities/read-message.ts'
import { type RunReading, readingOf } from '../../../src/activities/scenario/run-reading.ts'
import type { WaveState } from '../../../src/contract/enums.ts'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { type QuietPeriod, quietHoursEnd } from '../../../src/domain/message/quiet-hours.ts'
import { messageFacts, type StoredMessage } from '../../../src/domain/message/run-facts.ts'
import { channelTaskQueue, mainTaskQueue } from '../../../src/domain/run/temporal-names.ts'
import { advance, type RunFacts, type RunMove } from '../../../src/domain/scenario/advance.ts'
import { bundleWorkflows } from '../../../src/temporal/bundle.ts'
import { askedFor, text } from '../../fixtures/conversations.ts'
import { speech } from '../../fixtures/speech.ts'

Runtime.install({ logger: new DefaultLogger('ERROR') })

const day = 86_400_000
const week = 7 * day

/** A message in memory, on the test server's clock, by which a month passes in milliseconds. */
class Message {
  readonly did: { what: string; at: number }[] = []
  closed = false
  version = 1
  readonly stored: StoredMessage = {
    ...{ state: 'approved', scheduleAt: null, expiresAt: null, remindAt: null, quiet: null },
    ...{ holdUntil: null, paced: false, planned: { chat: 2 }, stepParked: null, wave: null },
  }

  constructor(some: Partial<StoredMessage> = {}) {
    Object.assign(this.stored, some)
  }

  /** As a call of the API changes the row. */
  move(some: Partial<StoredMessage>): void {
    Object.assign(this.stored, some)
    this.version += 1
  }

  read(now: number): MessageReading {
    const { state } = this.stored
    const view = { unitId: 'u', categoryId: 'grades', origin: 'api' as const, people: 2, reminder: null }
    const base = { ...view, state, version: this.version, now, parked: null, counts: [] }
    if (this.closed) return { ...base, closed: true }
    return { ...base, closed: false, quick: false, ...messageFacts(this.stored, now) }
  }

  /** The wave was sent; a message with a reminder stays open for it. */
  sent(): void {
    const reminds = this.stored.remindAt !== null && this.stored.state !== 'sent'
    this.closed = !reminds
    this.move({ state: 'sent', wave: reminds ? { ...noWave, state: 'waiting' } : null })
  }

  whats(): string[] {
    return this.did.map(({ what }) => what)
  }
}

const noWave = {
  ...{ id: 'w', state: 'sending' as WaveState, written: false, quotaDueAt: null, parked: null },
  ...{ probes: false, skipRemaining: false, open: {} },
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
      ...{ answersPerson: false, onPage: false, spokeLast: false },
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
  goOn(now: number): RunReading | null {
    const { move, step } = advance(this.facts, now, speech)
    if (step.at === 'register') throw new Error('the scenario belongs to no pattern')
    if (move) this.#write(move)
    const view = { unitId: 'u', categoryId: 'advice', problem: null, version: this.#version }
    return readingOf({ ...view, state: this.facts.state, kind: null, now, ...step })
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

/** A schedule in memory. */
type Schedule = {
  state: 'active' | 'paused' | 'deleted'
  dueAt: number | null
  retryAt: number | null
  made: number[]
}

describe('a run that waits', () => {
  let environment: TestWorkflowEnvironment
  let running: { workers: Worker[]; done: Promise<unknown> }
  let row: Message
  let talk: Talk
  let schedule: Schedule
  const now = () => environment.currentTimeMs()

  beforeAll(async () => {
    environment = await startTimeSkipping()
    // This server cannot list search attributes, so `registerSearchAttributes` does not work on it.
    const { IndexedValueType } = proto.temporal.api.enums.v1
    const { INDEXED_VALUE_TYPE_KEYWORD: keyword, INDEXED_VALUE_TYPE_DATETIME: datetime } = IndexedValueType
    await environment.connection.operatorService.addSearchAttributes({
      searchAttributes: { CarillonState: keyword, CarillonProblem: keyword, CarillonSendAt: datetime },
    })
    const done = async (what: string) => void row.did.push({ what, at: await now() })
    const main = {
      readMessage: async () => row.read(await now()),
      async expireMessage() {
        await done('expire')
        row.move(row.stored.state === 'sent' ? { wave: null } : { state: 'expired' })
      },
      async resolveAudience() {
        await done('audience')
        const { state } = row.stored
        const wave = {
          ...noWave,
          written: true,
          quotaDueAt: await now(),
          open: { chat: { free: 1, freeAt: null } },
        }
        row.move({ state: state === 'sent' ? 'sent' : 'sending', wave })
      },
      async reserveQuota() {
        await done('quota')
        row.stored.wave!.quotaDueAt = null
      },
      async finishWave() {
        await done('finish')
        if (row.stored.state === 'sending') row.sent()
        else row.closed = true
        return { more: false, closed: row.closed }
      },
      async applyOperatorMove(_id: string, requested: string) {
        await done(requested)
        row.move({ state: 'cancelled' })
        return { moved: requested }
      },
      advanceRun: async () => talk.goOn(await now()),
      async readSchedule() {
        const { state, dueAt, retryAt } = schedule
        const view = {
          version: 1,
          unitId: 'u',
          categoryId: 'grades',
          problem: null,
          nextAt: null,
          failures: 0,
        }
        const at = await now()
        const held = retryAt !== null && retryAt > at ? retryAt : null
        return { ...view, state, now: at, closed: state === 'deleted', dueAt, retryAt: held }
      },
      async makeOccurrence() {
        schedule.made.push(await now())
        schedule.dueAt = schedule.made.length < 3 ? schedule.dueAt! + week : null
        if (schedule.dueAt === null) schedule.state = 'deleted'
      },
    }
    const chat = {
      async sendSlice() {
        await done('send')
        row.stored.wave!.open = {}
        return { more: false, waitMs: 0 }
      },
      async sendSmallWave() {
        await done('send')
        row.sent()
        return null
      },
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

  const start = (workflow: string) =>
    environment.client.workflow.start(workflow, {
      taskQueue: mainTaskQueue,
      workflowId: randomUUID(),
      args: ['id'],
    })
  /** Starts the run of a message that is stored like this. */
  function begin(some: Partial<StoredMessage> = {}) {
    row = new Message(some)
    return start('messageIntent')
  }
  /** Changes the row as a call of the API does, and tells its run. */
  async function tell(run: WorkflowHandle, name: string, some: Partial<StoredMessage>): Promise<void> {
    row.move(some)
    await run.signal(name)
  }
  /** The next one was done within a day of then, and not before. */
  function expectAt(at: number, index = 0): void {
    expect(row.did[index]!.at).toBeGreaterThanOrEqual(at)
    expect(row.did[index]!.at).toBeLessThan(at + day)
  }

  it('sends a message that is due in thirty days, on the day and not before', async () => {
    const due = (await now()) + 30 * day
    expect(await (await begin({ scheduleAt: due })).result()).toBe('sent')
    expect(row.whats()).toEqual(['send'])
    expectAt(due)
  })

  it('resolves the audience and reserves quota before it sends to more people', async () => {
    const due = (await now()) + week
    expect(await (await begin({ scheduleAt: due, planned: { chat: 1_000 } })).result()).toBe('sent')
    expect(row.whats()).toEqual(['audience', 'quota', 'send', 'finish'])
    expectAt(due)
  })

  it('waits for an approval, however long it takes', async () => {
    const begun = await now()
    const run = await begin({ state: 'submitted' })
    await environment.sleep(40 * day)
    expect(row.did).toEqual([])
    await tell(run, 'approved', { state: 'approved' })
    expect(await run.result()).toBe('sent')
    expectAt(begun + 40 * day)
  })

  it.each(['approved', 'submitted', 'overdue', 'nonsense'])(
    'is moved by its row and not by the signal %s',
    async (name) => {
      const run = await begin({ state: 'submitted' })
      await run.signal(name)
      await environment.sleep(day)
      expect(row.did).toEqual([])
      await tell(run, 'rejected', { state: 'rejected' })
      expect(await run.result()).toBe('rejected')
      expect(row.whats()).toEqual(['finish'])
    },
  )

  it('holds an approved message as long as its category does', async () => {
    const until = (await now()) + 3 * day
    expect(await (await begin({ holdUntil: until })).result()).toBe('sent')
    expectAt(until)
  })

  const clock = (at: number) => new Date(at).toISOString().slice(11, 16)
  const quietAround = (at: number) => ({
    hours: { from: clock(at - day / 24), to: clock(at + day / 2) },
    timeZone: 'UTC',
  })

  it('sends after the quiet hours', async () => {
    const begun = await now()
    const quiet = quietAround(begun)
    expect(await (await begin({ quiet })).result()).toBe('sent')
    expectAt(quietHoursEnd(quiet, begun)!)
  })

  it('expires a message after a year without an approval, and sends nothing', async () => {
    const end = (await now()) + 365 * day
    expect(await (await begin({ state: 'submitted', expiresAt: end })).result()).toBe('expired')
    expect(row.whats()).toEqual(['expire', 'finish'])
    expectAt(end)
  })

  it('waits for years, a year at a time', async () => {
    const end = (await now()) + 5 * 365 * day
    expect(await (await begin({ scheduleAt: end })).result()).toBe('sent')
    expectAt(end)
  })

  it('reminds at its time, once', async () => {
    const due = (await now()) + 10 * day
    expect(await (await begin({ remindAt: due })).result()).toBe('sent')
    expect(row.whats()).toEqual(['send', 'send'])
    expectAt(due, 1)
  })

  it('waits for a person to resume it, and expires if nobody does', async () => {
    const begun = await now()
    const paused = await begin({ state: 'paused' })
    await environment.sleep(20 * day)
    await tell(paused, 'resumed', { state: 'approved' })
    expect(await paused.result()).toBe('sent')
    expectAt(begun + 20 * day)

    const end = (await now()) + week
    expect(await (await begin({ state: 'paused', expiresAt: end })).result()).toBe('expired')
    expectAt(end)
  })

  it('stops for a pause before it sends', async () => {
    const run = await begin({ scheduleAt: (await now()) + week })
    await environment.sleep(day)
    await tell(run, 'paused', { state: 'paused' })
    await environment.sleep(2 * week)
    expect(row.did).toEqual([])
    await tell(run, 'resumed', { state: 'approved' })
    expect(await run.result()).toBe('sent')
  })

  const later = { scheduleAt: Number.MAX_SAFE_INTEGER / 2 }
  const waiting: [what: string, some: () => Partial<StoredMessage> | Promise<Partial<StoredMessage>>][] = [
    ['as a draft', () => ({ state: 'draft' })],
    ['for an approval', () => ({ state: 'submitted' })],
    ['for its send time', () => later],
    ['for the end of the quiet hours', async () => ({ quiet: quietAround(await now()) })],
    ['for a person to resume it', () => ({ state: 'paused' })],
    [
      'for its reminder',
      () => ({ state: 'sent', remindAt: later.scheduleAt, wave: { ...noWave, state: 'waiting' } }),
    ],
    [
      'for the provider',
      () => ({
        state: 'sending',
        wave: { ...noWave, written: true, open: { chat: { free: 0, freeAt: later.scheduleAt } } },
      }),
    ],
    [
      'for quota',
      () => ({
        state: 'sending',
        wave: {
          ...noWave,
          written: true,
          quotaDueAt: later.scheduleAt,
          open: { chat: { free: 1, freeAt: null } },
        },
      }),
    ],
  ]

  it.each(waiting)('ends with a cancel while it waits %s', async (_what, some) => {
    const run = await begin(await some())
    await run.query('__temporal_workflow_metadata')
    await tell(run, 'cancelled', { state: 'cancelled' })
    await expect.poll(() => row.whats()).toEqual(['finish'])
    expect(await run.result()).toBe('cancelled')
  })

  it.each(waiting)(
    'applies a Request Cancellation while it waits %s, and closes as Canceled',
    async (_what, some) => {
      const run = await begin(await some())
      await run.query('__temporal_workflow_metadata')
      await run.cancel()
      await expect.poll(() => row.whats()).toEqual(['cancel'])
      await expect(run.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } })
    },
  )

  it('applies a request that came before it has read its row, and does not wait first', async () => {
    row = new Message(await waiting.find(([what]) => what === 'for the provider')![1]())
    const run = await environment.client.workflow.signalWithStart('messageIntent', {
      ...{ taskQueue: mainTaskQueue, workflowId: randomUUID(), args: ['id'], signal: 'retryParked' },
    })
    const begun = await now()
    expect(await run.result()).toBe('cancelled')
    expect(row.whats()).toEqual(['retry', 'finish'])
    expectAt(begun)
  })

  const planned = (some: Partial<Schedule>) => {
    schedule = { state: 'active', dueAt: null, retryAt: null, made: [], ...some }
    return start('scheduleRun')
  }

  it('makes what a schedule makes at each of its times', async () => {
    const due = (await now()) + week
    expect(await (await planned({ dueAt: due })).result()).toBe('deleted')
    expect(schedule.made).toHaveLength(3)
    for (const [index, at] of schedule.made.entries()) {
      expect(at).toBeGreaterThanOrEqual(due + index * week)
      expect(at).toBeLessThan(due + index * week + day)
    }
  })

  it('waits until a schedule is enabled, and for the next try of a step that keeps failing', async () => {
    const run = await planned({})
    await environment.sleep(30 * day)
    expect(schedule.made).toEqual([])
    const retryAt = (await now()) + 2 * day
    Object.assign(schedule, { dueAt: await now(), retryAt })
    await run.signal('edited')
    expect(await run.result()).toBe('deleted')
    expect(schedule.made[0]).toBeGreaterThanOrEqual(retryAt)
  })

  const converse = (about: Talk) => {
    talk = about
    return start('scenarioRun')
  }

  it('leaves a question by its time-out after a year, not before', async () => {
    const asking = new Talk(askedFor((365 * day) / 1_000))
    expect(await (await converse(asking)).result()).toBe('done')
    const [question, late] = asking.said
    expect(asking.said.map(({ nodes }) => nodes)).toEqual([['hello', 'ask'], ['late']])
    expect(late!.at).toBeGreaterThanOrEqual(question!.at + 365 * day)
    expect(late!.at).toBeLessThan(question!.at + 366 * day)
  })

  it('takes an answer after eleven months', async () => {
    const asking = new Talk(askedFor((365 * day) / 1_000))
    const run = await converse(asking)
    await environment.sleep(335 * day)
    asking.hear('yes')
    await run.signal('answered')
    expect(await run.result()).toBe('done')
    const [question, thanked] = asking.said
    expect(asking.said.map(({ nodes }) => nodes)).toEqual([['hello', 'ask'], ['yes']])
    expect(thanked!.at).toBeGreaterThanOrEqual(question!.at + 334 * day)
    expect(thanked!.at).toBeLessThan(question!.at + 336 * day)
  })

  it('goes on after a wait of seven months, on the day', async () => {
    const begun = await now()
    const resting = new Talk(rested((210 * day) / 1_000))
    expect(await (await converse(resting)).result()).toBe('done')
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
    expect(await (await converse(asking)).result()).toBe('done')
    const [question, late] = asking.said
    expect(asking.said.map(({ nodes }) => nodes)).toEqual([['hello', 'ask'], ['late']])
    expect(question!.at).toBeGreaterThanOrEqual(quietHoursEnd(asking.quiet, begun)!)
    expect(question!.at).toBeLessThan(begun + day)
    expect(late!.at).toBeGreaterThanOrEqual(question!.at + 3_600_000)
  })
})
