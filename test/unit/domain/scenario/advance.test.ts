import { describe, expect, it } from 'vitest'
import type { Graph, ScenarioNode } from '../../../../src/contract/scenarios/graph.ts'
import {
  advance as advanceWith,
  type RunFacts,
  type TurnFacts,
} from '../../../../src/domain/scenario/advance.ts'
import type { DeliverableChannels } from '../../../../src/domain/scenario/deliverable-channels.ts'
import { speech } from '../../../fixtures/speech.ts'

const advance = (facts: RunFacts, now: number) => advanceWith(facts, now, speech)

const now = Date.UTC(2026, 10, 22, 8)
const text = (zh: string) => ({ kind: 'text' as const, text: { 'zh-TW': zh } })

const nodes: ScenarioNode[] = [
  { id: 'hello', kind: 'message', messages: [text('您好')] },
  {
    id: 'ask',
    kind: 'question',
    message: {
      kind: 'buttons',
      text: { 'zh-TW': '要嗎？' },
      actions: [
        { kind: 'postback', label: { 'zh-TW': '要' }, data: { v: 1, o: 'yes' } },
        { kind: 'postback', label: { 'zh-TW': '不要' }, data: { v: 1, o: 'no' } },
      ],
    },
    timeoutSeconds: 60,
  },
  { id: 'mark', kind: 'tag', add: ['interest:art'] },
  { id: 'find', kind: 'lookup', method: 'GET', url: 'http://127.0.0.1:9/x', variables: [] },
  { id: 'rest', kind: 'wait', seconds: 30 },
  { id: 'on', kind: 'jump', scenarioId: 'other' },
  { id: 'end', kind: 'end' },
]
const graph: Graph = {
  nodes,
  edges: [
    { from: 'hello', to: 'ask' },
    { from: 'ask', to: 'mark', when: { kind: 'option', optionId: 'yes' } },
    { from: 'ask', to: 'end', when: { kind: 'otherwise' } },
    { from: 'ask', to: 'end', when: { kind: 'timeout' } },
    { from: 'mark', to: 'find' },
    { from: 'find', to: 'rest' },
    { from: 'find', to: 'end', when: { kind: 'error' } },
    { from: 'rest', to: 'on' },
    { from: 'on', to: 'end', when: { kind: 'error' } },
  ],
}

/** The graph whose tags are nothing but a branch. */
const withoutTag = {
  ...{ state: 'active' as const, farewell: null },
  graph: {
    nodes: nodes.map((node): ScenarioNode => (node.id === 'mark' ? { id: 'mark', kind: 'branch' } : node)),
    edges: graph.edges.map((edge) =>
      edge.from === 'mark' ? { ...edge, when: { kind: 'otherwise' as const } } : edge,
    ),
  },
}

function facts(changed: Partial<RunFacts> = {}): RunFacts {
  return {
    ...{
      state: 'running',
      ending: null,
      node: 'hello',
      deadline: null,
      jumps: 0,
      jumpedThrough: [],
      stepParkedUntil: null,
    },
    values: { variables: {}, answers: {}, lookupError: null },
    scenario: { state: 'active', graph, farewell: null },
    person: { subjectId: 's', displayName: null, locale: 'zh-TW', stage: 'member' },
    ...{ answersPerson: false, onPage: false, spokeLast: false },
    ...{ consent: true, firstChannel: 'chat', turn: null, answer: null, looked: null, pendingEvents: false },
    handoff: null,
    ...{ groups: [], jumpable: ['other'], pattern: null, registered: null },
    ...changed,
  }
}

function told(changed: Partial<TurnFacts> = {}): TurnFacts {
  return {
    ...{ lastNode: 'ask', state: 'sent', reason: null, closedAt: now, channel: 'chat' },
    ...{ nextTryAt: null, problem: null },
    ...changed,
  }
}

const atQuestion = (changed: Partial<RunFacts> = {}) =>
  facts({ node: 'ask', state: 'waiting', deadline: now + 60_000, turn: told(), ...changed })

describe('advance', () => {
  it('says at once what stands in a row, up to a question', () => {
    const { move, step } = advance(facts(), now)
    expect(step).toEqual({ at: 'turn', channel: 'chat' })
    expect(move).toMatchObject({ node: 'ask', state: 'running', steps: [{ node: 'hello', to: 'ask' }] })
    expect(move?.turn?.says.map(({ node }) => node)).toEqual(['hello', 'ask'])
  })

  it('waits from the moment at which the question was told', () => {
    const { move, step } = advance(facts({ node: 'ask', turn: told({ closedAt: now - 5_000 }) }), now)
    expect(move).toMatchObject({ state: 'waiting', deadline: now + 55_000 })
    expect(step).toMatchObject({ at: 'answer', until: now + 55_000 })
  })

  it('changes nothing while it waits', () => {
    expect(advance(atQuestion(), now)).toEqual({
      move: null,
      step: { at: 'answer', until: now + 60_000 },
    })
  })

  it('follows an answer, with what nodes on the way do', () => {
    const { move, step } = advance(atQuestion({ answer: { optionId: 'yes', text: null } }), now)
    expect(move).toMatchObject({
      ...{ node: 'find', state: 'running', values: { answers: { ask: 'yes' } } },
      effects: [{ kind: 'tag', node: 'mark', add: ['interest:art'], remove: [] }],
    })
    expect(step).toEqual({ at: 'lookup' })
  })

  it.each([
    [
      'takes an answer that was stored in time, however late it is read',
      { answer: { optionId: 'no', text: null } },
      'done',
    ],
    ['leaves by time-out when everything is heard', {}, 'done'],
  ])('%s', (_, changed, state) => {
    expect(advance(atQuestion({ ...changed, deadline: now - 1 }), now).move?.state).toBe(state)
  })

  it('leaves a question open while what the person did in time is not worked off', () => {
    const { move, step } = advance(atQuestion({ deadline: now - 1, pendingEvents: true }), now)
    expect(move).toBeNull()
    expect(step).toMatchObject({ at: 'pendingEvents' })
  })

  it.each([
    ['skipped', 'noConsent'],
    ['failed', 'invalid_recipient'],
  ] as const)('does not wait at a question that was %s', (state, reason) => {
    const { move } = advance(facts({ node: 'ask', turn: told({ state, reason }) }), now)
    expect(move).toMatchObject({ state: 'failed', reason })
  })

  it('waits for an answer of who may have been told', () => {
    const { step } = advance(facts({ node: 'ask', turn: told({ state: 'unknown' }) }), now)
    expect(step).toMatchObject({ at: 'answer' })
  })

  it('looks up once, and goes on with what was found', () => {
    expect(advance(facts({ node: 'find' }), now)).toEqual({
      move: null,
      step: { at: 'lookup' },
    })
    const { move, step } = advance(facts({ node: 'find', looked: 'found' }), now)
    expect(move).toMatchObject({ node: 'rest', state: 'waiting', deadline: now + 30_000 })
    expect(step).toMatchObject({ at: 'time', until: now + 30_000 })
  })

  it.each([
    ['without an answer', { looked: 'timeout' as const }],
    ['without consent', { consent: false }],
  ])('takes the way of errors %s', (_, changed) => {
    expect(advance(facts({ node: 'find', ...changed }), now).move).toMatchObject({
      node: 'end',
      state: 'done',
    })
  })

  it('says why a Lookup was not made without consent', () => {
    const stale = { variables: {}, answers: {}, lookupError: 'timeout' as const }
    for (const runFacts of [
      facts({ node: 'find', values: stale, consent: false }),
      facts({ node: 'mark', values: stale, consent: false, scenario: withoutTag }),
    ])
      expect(advance(runFacts, now).move).toMatchObject({ node: 'end', values: { lookupError: 'noConsent' } })
  })

  it('changes no tags of who has withdrawn consent', () => {
    const { move } = advance(atQuestion({ answer: { optionId: 'yes', text: null }, consent: false }), now)
    expect(move).toMatchObject({ state: 'failed', reason: 'noConsent', effects: [] })
  })

  describe('at a handoff', () => {
    const handing: Graph = {
      nodes: [
        { id: 'desk', kind: 'handoff', timeoutSeconds: 60 },
        { id: 'closed', kind: 'end' },
        { id: 'nobody', kind: 'end' },
      ],
      edges: [
        { from: 'desk', to: 'closed' },
        { from: 'desk', to: 'nobody', when: { kind: 'timeout' } },
      ],
    }
    const at = (changed: Partial<RunFacts>) =>
      advance(
        facts({ scenario: { state: 'active', graph: handing, farewell: null }, node: 'desk', ...changed }),
        now,
      )
    const waits = { state: 'waiting', deadline: now + 1, handoff: 'open' } as const

    it('hands over as it arrives, and waits', () => {
      const { move, step } = at({})
      expect(move).toMatchObject({ state: 'waiting', deadline: now + 60_000 })
      expect(move?.effects).toEqual([{ kind: 'handOver', node: 'desk' }])
      expect(step).toMatchObject({ at: 'handoff', until: now + 60_000 })
    })

    it('waits while it is open and its time is not over', () => {
      expect(at(waits)).toMatchObject({ move: null, step: { at: 'handoff', until: now + 1 } })
    })

    it('goes on once it is closed, also after its time, else by its time-out', () => {
      expect(at({ ...waits, handoff: 'closed' }).move).toMatchObject({ node: 'closed', effects: [] })
      expect(at({ ...waits, handoff: 'closed', deadline: now }).move).toMatchObject({ node: 'closed' })
      expect(at({ ...waits, deadline: now }).move).toMatchObject({ node: 'nobody', effects: [] })
    })
  })

  it.each([
    ['goes on in another scenario', {}, { scenarioId: 'other' }],
    ['does not jump to one that is not active', { jumpable: [] }, null],
    ['does not jump for ever', { jumps: 20 }, null],
    ['does not jump back to where it has come from unheard', { jumpedThrough: ['other', 'own'] }, null],
  ])('%s', (_, changed, jump) => {
    const { move } = advance(facts({ node: 'rest', state: 'waiting', deadline: now, ...changed }), now)
    expect(move?.state).toBe('done')
    if (jump) expect(move?.jump).toMatchObject(jump)
    else expect(move).toMatchObject({ jump: null, node: 'end' })
  })

  it('lets a pending turn be said before anything else, also at the end', () => {
    const pending = told({ state: 'pending', closedAt: null })
    expect(advance(facts({ node: 'ask', turn: pending }), now).step).toMatchObject({ at: 'turn' })
    expect(advance(facts({ turn: pending, ending: 'retired' }), now).step).toMatchObject({ at: 'turn' })
    expect(advance(facts({ turn: pending, state: 'cancelled' }), now).step).toMatchObject({ at: 'turn' })
    expect(advance(facts({ turn: told(), ending: 'retired' }), now).move).toMatchObject({
      state: 'cancelled',
    })
    expect(advance(facts({ turn: told(), state: 'cancelled' }), now)).toEqual({
      move: null,
      step: { at: 'ended' },
    })
  })

  it.each(['paused', 'retired'] as const)(
    'settles what was under way when the run was left, though its scenario is %s',
    (state) => {
      const left = facts({
        ...{ state: 'done', scenario: { state, graph, farewell: null } },
        turn: told({ state: 'pending', closedAt: null }),
      })
      expect(advance(left, now).step).toMatchObject({ at: 'turn' })
    },
  )

  it.each([
    ['who answers', atQuestion({ answer: { optionId: 'yes', text: null } })],
    ['whose turn was skipped for it', facts({ turn: told({ state: 'skipped', reason: 'retired' }) })],
  ])('says the farewell of a retired scenario to a person %s, and goes nowhere else', (_, runFacts) => {
    const farewell = { 'zh-TW': '再見' }
    const scenario = { state: 'retired' as const, graph, farewell }
    const { move, step } = advance({ ...runFacts, scenario }, now)
    expect(move).toMatchObject({
      steps: [],
      node: runFacts.node,
      deadline: null,
      reason: 'retired',
      effects: [],
    })
    expect(move?.turn?.says).toEqual([{ node: '(farewell)', messages: [{ kind: 'text', text: farewell }] }])
    expect(step).toEqual({ at: 'turn', channel: 'chat' })
    expect(advance({ ...runFacts, scenario: { ...scenario, farewell: null } }, now)).toMatchObject({
      move: { state: 'cancelled', reason: 'retired', turn: null },
      step: { at: 'ended' },
    })
  })

  it('says that it cannot go on to who waits for what it says next', () => {
    const nodes: ScenarioNode[] = [
      { id: 'hi', kind: 'message', messages: [{ kind: 'text', text: { 'zh-TW': '{{ nmae }}' } }] },
    ]
    const scenario = { state: 'active' as const, graph: { nodes, edges: [] }, farewell: null }
    const failing = (changed: Partial<RunFacts> = {}) =>
      advance(facts({ scenario, node: 'hi', answersPerson: true, ...changed }), now)
    const { move, step } = failing()
    expect(step).toEqual({ at: 'turn', channel: 'chat' })
    expect(move).toMatchObject({ state: 'running', reason: 'missing_variable' })
    expect(move?.turn?.says).toMatchObject([{ node: '(failure)' }])
    const ending = 'missing_variable'
    expect(failing({ ending, turn: told({ lastNode: '(failure)' }) })).toMatchObject({
      ...{ move: { state: 'failed', reason: ending, turn: null }, step: { at: 'ended' } },
    })
    const turn = told({ lastNode: 'before' })
    const waiting: Partial<RunFacts>[] = [
      { answersPerson: true },
      { spokeLast: true },
      { handoff: 'closed' },
      { spokeLast: true, turn: told({ lastNode: 'before', state: 'skipped', reason: 'expired' }) },
    ]
    for (const one of waiting)
      expect(failing({ answersPerson: false, turn, ...one }).move?.turn).toMatchObject({
        firstNode: '(failure)',
      })
    const silent = { move: { state: 'failed', turn: null }, step: { at: 'ended' } }
    expect(failing({ answersPerson: false, turn })).toMatchObject(silent)
    const blocked = told({ lastNode: 'before', state: 'skipped', reason: 'blocked' })
    expect(failing({ turn: blocked })).toMatchObject(silent)
  })

  it('asks again only for an answer that a text cannot repeat, not for another text that is too long', () => {
    const channelsFor: DeliverableChannels = (says) =>
      JSON.stringify(says).length < 500 ? ['chat'] : { reason: 'content_violation', faults: [] }
    const repeating = (words: string, extra: Record<string, string> = {}) => {
      const graph: Graph = {
        nodes: [
          {
            ...{ id: 'ask', kind: 'question', saveAs: 'wish', timeoutSeconds: 60 },
            message: text('想問什麼？'),
          },
          { id: 'mark', kind: 'tag', add: ['interest:art'] },
          { id: 'repeat', kind: 'message', messages: [text('{{ wish }}{{ extra }}')] },
          { id: 'end', kind: 'end' },
        ],
        edges: [
          { from: 'ask', to: 'mark', when: { kind: 'text' } },
          { from: 'mark', to: 'repeat' },
          { from: 'repeat', to: 'end' },
        ],
      }
      const run = atQuestion({
        scenario: { state: 'active', graph, farewell: null },
        answer: { optionId: null, text: words },
        values: { variables: extra, answers: {}, lookupError: null },
      })
      return advanceWith({ ...run, spokeLast: true }, now, { ...speech, channelsFor }).move
    }
    expect(repeating('長'.repeat(500), { extra: '' })).toMatchObject({
      ...{ node: 'ask', state: 'running', reason: null, retracted: 'ask', deadline: null },
      ...{ steps: [], effects: [], values: { variables: { extra: '' }, answers: {} } },
      turn: { firstNode: 'ask', says: [{ node: '(unusable)' }, { node: 'ask' }] },
    })
    expect(repeating('獎學金', { extra: '長'.repeat(500) })).toMatchObject({
      ...{ node: 'repeat', reason: 'content_violation', retracted: null },
      turn: { firstNode: '(failure)' },
    })
  })

  it.each([
    ['a person', { scenario: { state: 'paused' as const, graph, farewell: null } }, {}, 'resume'],
    ['its end', { scenario: { state: 'retired' as const, graph, farewell: null } }, {}, 'retirement'],
    ['quota', {}, { nextTryAt: now + 1, problem: 'quota' as const }, 'quota'],
    ['the provider', {}, { nextTryAt: now + 1, problem: 'provider' as const }, 'provider'],
    ['quiet hours', {}, { nextTryAt: now + 1 }, 'quiet hours'],
  ])('holds a turn back for %s', (_, changed, turn, reason) => {
    const held = facts({ node: 'ask', turn: told({ state: 'pending', ...turn }), ...changed })
    expect(advance(held, now)).toMatchObject({ move: null, step: { at: reason } })
  })
})

describe('at a node that registers', () => {
  const deadline = now + 60_000
  const option = (o: string) => ({
    kind: 'postback' as const,
    label: { 'zh-TW': o },
    data: { v: 1 as const, o },
  })
  const places: Graph = {
    nodes: [
      {
        ...{ id: 'take', kind: 'register' },
        waitingList: {
          messages: [{ kind: 'buttons', text: { 'zh-TW': '候補' }, actions: [option('withdraw')] }],
        },
      },
      { id: 'end', kind: 'end' },
    ],
    edges: (['registered', 'full', 'closed', 'withdrawn'] as const).map((result) => ({
      ...{ from: 'take', to: 'end', when: { kind: 'result' as const, result } },
    })),
  }
  const pattern = { deadline, capacity: 1, registered: 1, timeZone: 'Asia/Taipei', own: null }
  const waiting = { ...pattern, own: { state: 'waitlisted' as const, byThisRun: true } }
  const at = (changed: Partial<RunFacts> = {}) =>
    facts({ node: 'take', scenario: { state: 'active', graph: places, farewell: null }, pattern, ...changed })
  const placeFacts = (changed: Partial<RunFacts> = {}) =>
    at({ state: 'waiting', deadline, pattern: waiting, turn: told({ lastNode: 'take' }), ...changed })
  const ask = (withdraw: boolean) => ({ at: 'register', node: 'take', withdraw, waits: true })

  it.each<[string, RunFacts, object]>([
    ['asks for a place', at(), ask(false)],
    [
      'says that all are taken',
      at({ registered: { node: 'take', result: 'waiting' } }),
      { at: 'turn', channel: 'chat' },
    ],
    ['waits then', placeFacts(), { at: 'place', until: now + 60_000 }],
    ['waits until another deadline', placeFacts({ deadline: now + 1 }), { at: 'place', until: now + 60_000 }],
    [
      'withdraws when the person does',
      placeFacts({ answer: { optionId: 'withdraw', text: null } }),
      ask(true),
    ],
    [
      'asks again when the person got a place',
      placeFacts({ pattern: { ...waiting, own: { state: 'registered', byThisRun: true } } }),
      ask(false),
    ],
    [
      'withdraws also who got a place that they did not know of',
      placeFacts({
        ...{ pattern: { ...waiting, own: { state: 'registered', byThisRun: true } } },
        answer: { optionId: 'withdraw', text: null },
      }),
      ask(true),
    ],
    [
      'goes on once it is known',
      placeFacts({ registered: { node: 'take', result: 'registered' } }),
      { at: 'ended' },
    ],
    ['needs consent to ask', at({ consent: false }), { at: 'ended' }],
    ['needs a pattern', at({ pattern: null }), { at: 'ended' }],
  ])('%s', (_name, of, step) => {
    expect(advance(of, now).step).toMatchObject(step)
  })

  it('hears at the deadline what was done before, and then asks how it ended', () => {
    expect(advance(placeFacts({ pendingEvents: true }), deadline).step).toMatchObject({
      at: 'pendingEvents',
    })
    expect(advance(placeFacts(), deadline).step).toEqual(ask(false))
  })

  it('names what is missing as the reason of the end', () => {
    expect(advance(at({ consent: false }), now).move).toMatchObject({ state: 'failed', reason: 'noConsent' })
    expect(advance(at({ pattern: null }), now).move).toMatchObject({ state: 'failed', reason: 'no_pattern' })
  })
})

it('closes a question of a pattern at its deadline, also when that has changed', () => {
  const pattern = { deadline: now + 30_000, capacity: null, registered: 0, timeZone: 'UTC', own: null }
  const { move, step } = advance(atQuestion({ pattern }), now)
  expect(move).toMatchObject({ state: 'waiting', deadline: now + 30_000 })
  expect(step).toMatchObject({ at: 'answer', until: now + 30_000 })
  const over = { ...pattern, deadline: now - 1 }
  expect(advance(atQuestion({ pattern: over }), now).move).toMatchObject({ node: 'end', state: 'done' })
})
