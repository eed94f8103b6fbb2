import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { reminderAt, stateAt } from '../../../src/domain/message/shown-state.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from '../faults/counts.ts'
import { recordMeasurement } from '../faults/world/measurements.ts'
import { type Ask, asks, type CallerName, openStage } from './message-fixture.ts'
import { afterMove, afterStep, draftModel, type Model, type Moment, permits } from './message-model.ts'

/**
 * Compares the pure rules with the API: random calls of several callers, times that come due and steps of the run, on
 * real Postgres. Responses and resulting states must be those of the rules.
 */

const stage = forFile(openStage)
afterAll(() => stage.api.close())

type Call = { by: CallerName; verb: Ask }
type Command =
  | { kind: 'call'; calls: [Call] | [Call, Call] }
  | { kind: 'comes'; moment: Moment | 'probe' }
  | { kind: 'step'; provider: 'accepts' | 'rejects account' }

const call = fc.record({
  by: fc.constantFrom<CallerName>('producer', 'editor', 'approver', 'approver', 'outsider'),
  verb: fc.constantFrom(...(Object.keys(asks) as Ask[])),
})
const step = fc.record({
  kind: fc.constant('step' as const),
  provider: fc.constantFrom('accepts' as const, 'accepts' as const, 'rejects account' as const),
})
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: call.map((one) => ({ kind: 'call' as const, calls: [one] as [Call] })) },
  { weight: 1, arbitrary: fc.tuple(call, call).map((calls) => ({ kind: 'call' as const, calls })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('send' as const, 'remind' as const, 'expire' as const, 'probe' as const)
      .map((moment) => ({ kind: 'comes' as const, moment })),
  },
  { weight: 5, arbitrary: step },
)
const time = fc.constantFrom('none' as const, 'to come' as const)
const times = fc.record({ send: time, remind: time, expire: time })

/** Most messages should progress: submitted and approved before anything else happens. */
const beginning: Command[] = [
  { kind: 'call', calls: [{ by: 'producer', verb: 'submit' }] },
  { kind: 'call', calls: [{ by: 'approver', verb: 'approve' }] },
]
const story = fc
  .tuple(fc.constantFrom(0, 1, 2, 2, 2), fc.array(command, { minLength: 5, maxLength: 25 }))
  .map(([steps, rest]) => [...beginning.slice(0, steps), ...rest])

it(
  'the API and the steps of a run agree with the pure rules, for every caller and time',
  patient,
  async () => {
    const { stories } = countsOf('stories')
    let steps = 0
    await fc.assert(
      fc.asyncProperty(times, story, async (has, commands) => {
        steps += commands.length
        let model = draftModel(has, 'producer')
        const id = await stage.create(has)
        for (const one of commands) {
          model = await play(id, model, one)
          await expectAgreement(id, model)
        }
      }),
      { numRuns: stories },
    )
    const broken = await brokenInvariants(stage.db, { runs: false })
    expect(broken).toEqual([]) // no run observes the row here
    recordMeasurement('stories', `${stories} stories of ${steps} steps`)
  },
)

async function play(id: string, model: Model, one: Command): Promise<Model> {
  switch (one.kind) {
    case 'step':
      await stage.step(id, one.provider)
      return await afterStep(model, one.provider)
    case 'comes':
      return comes(id, model, one.moment)
    case 'call':
      return askAll(id, model, one.calls)
  }
}

async function comes(id: string, model: Model, moment: Moment | 'probe'): Promise<Model> {
  const next = structuredClone(model)
  if (moment === 'probe') {
    await stage.probeComes(id)
    for (const wave of [next.first, next.reminder]) if (wave?.parked) wave.probeDue = true
  } else {
    await stage.comes(id, moment)
    if (next.times[moment] === 'to come') next.times[moment] = 'past'
  }
  return next
}

/** Two concurrent calls must have the results of some sequential order. */
async function askAll(id: string, model: Model, calls: Call[]): Promise<Model> {
  const codes = await Promise.all(calls.map(({ by, verb }) => stage.ask(id, by, verb)))
  const orders =
    calls.length === 1
      ? [[0]]
      : [
          [0, 1],
          [1, 0],
        ]
  const outcomes = orders.map((order) => inOrder(model, calls, order))
  const answered = outcomes.filter((outcome) => String(outcome.codes) === String(codes))
  expect(
    answered.length,
    `${JSON.stringify(calls)} answered ${codes}, not ${JSON.stringify(outcomes.map(({ codes }) => codes))}`,
  ).toBeGreaterThan(0)
  const { state, version } = await stage.read(id)
  const fits = answered.find((outcome) => shownOf(outcome.model).state === state)
  expect(fits, `${JSON.stringify(calls)} led to ${state} (version ${version})`).toBeDefined()
  return fits!.model
}

function inOrder(model: Model, calls: Call[], order: number[]): { codes: string[]; model: Model } {
  const codes: string[] = []
  let after = model
  for (const place of order) {
    const outcome = answerOf(after, calls[place]!)
    codes[place] = outcome.code
    after = outcome.model
  }
  return { codes, model: after }
}

/** The rules for one call: who may make it, what is legal, who is an author; then its result. */
function answerOf(model: Model, { by, verb }: Call): { code: string; model: Model } {
  const refused = (code: string) => ({ code, model })
  if (verb === 'reject' && (by === 'producer' || by === 'outsider')) return refused('forbidden')
  if (by === 'outsider') return refused('not_found')
  if (by === 'editor' && (verb === 'approve' || verb === 'reject')) return refused('forbidden')
  if (!permits(model, verb)) return refused('invalid_transition')
  if (verb === 'edit' && model.times.remind === 'past') return refused('remind_before_send')
  if (verb === 'approve' && by === 'producer') return refused('ok') // the automatic check does not approve
  if (verb === 'approve' && model.authors.includes(by)) return refused('self_approval')
  const after = afterMove(model, verb)
  if (verb === 'edit' || verb === 'submit') after.authors.push(by)
  return { code: 'ok', model: after }
}

async function expectAgreement(id: string, model: Model): Promise<void> {
  const actual = await stage.read(id)
  const { first, reminder } = model
  const up = model.position.state === 'sent' ? reminder : first
  expect({
    state: actual.state,
    reminder: actual.reminder?.state ?? null,
    parked: actual.parked !== null,
    sent: actual.stats?.sent ?? 0,
    reminded: actual.reminder?.stats?.sent ?? 0,
    may: Object.keys(asks).filter((verb) => actual.allowed[verb]?.allowed),
  }).toEqual({
    ...shownOf(model),
    parked: up?.parked ?? false,
    sent: sum(first?.sent),
    reminded: sum(reminder?.sent),
    may: (Object.keys(asks) as Ask[]).filter((verb) => mayApprover(model, verb)),
  })
}

/** What a reader sees of it: expired from its time on. */
function shownOf({ position: { state }, reminder, times }: Model) {
  const at = { state, reminder: reminder?.state ?? null, expiresAt: times.expire === 'past' ? 0 : null }
  return { state: stateAt(at, 1), reminder: reminderAt(at, 1) }
}

function mayApprover(model: Model, verb: Ask): boolean {
  if (verb === 'skip') return false // no name of its own in `allowed`
  return answerOf(model, { by: 'approver', verb }).code === 'ok'
}

function sum(sizes: number[] = []): number {
  return sizes.reduce((total, size) => total + size, 0)
}
