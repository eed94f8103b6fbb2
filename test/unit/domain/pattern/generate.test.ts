import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { locales, patternTypes } from '../../../../src/contract/enums.ts'
import type { PatternQuestion } from '../../../../src/contract/patterns/pattern.ts'
import { normaliseText } from '../../../../src/domain/lib/normalise-text.ts'
import { type PatternDesign, patternGraph, questionsOf } from '../../../../src/domain/pattern/generate.ts'
import { type PatternFacts, patternValues } from '../../../../src/domain/pattern/pattern-values.ts'
import { exitKeywords } from '../../../../src/domain/scenario/auto-reply.ts'
import { graphProblems } from '../../../../src/domain/scenario/graph-problems.ts'
import { optionsOf } from '../../../../src/domain/scenario/question.ts'
import { simulate } from '../../../../src/domain/scenario/simulate.ts'
import { speech } from '../../../fixtures/speech.ts'

const deadline = Date.UTC(2026, 11, 1, 10)
const before = deadline - 86_400_000
const title = { 'zh-TW': '圖書館導覽', en: 'Library tour' }
const option = (id: string) => ({ id, label: { 'zh-TW': id } })
const meal: PatternQuestion = {
  id: 'meal',
  text: { 'zh-TW': '葷食還是素食？' },
  options: [option('meat'), option('veg')],
}
const note: PatternQuestion = { id: 'note', text: { 'zh-TW': '有什麼要說的嗎？' }, required: false }

function design(changed: Partial<PatternDesign> = {}): PatternDesign {
  return { type: 'registration', title, ...changed }
}

/** The way of a run and what it says, in this language. */
function play(
  of: PatternDesign,
  answers: Record<string, string | null>,
  {
    pattern = {},
    now = before,
    variables = {},
  }: { pattern?: Partial<PatternFacts>; now?: number; variables?: object } = {},
) {
  const facts = {
    deadline,
    capacity: of.capacity ?? null,
    registered: 0,
    timeZone: 'Asia/Taipei',
    own: null,
    ...pattern,
  }
  const person = { displayName: null, locale: 'zh-TW', stage: 'member' }
  const around = { person, subject: 's', pattern: patternValues(facts, now) }
  const input = { variables: { ...variables }, answers, lookups: {} }
  return simulate(patternGraph(of, 'own'), input, {
    context: around,
    now,
    speech: { ...speech, channelsFor: () => [] },
    self: 'own',
    jumpable: ['own'],
  })
}

const question = fc.record(
  {
    id: fc.stringMatching(/^q[a-z]{1,8}$/),
    text: fc.constant({ 'zh-TW': '問題' }),
    options: fc
      .uniqueArray(fc.stringMatching(/^o[a-z]{1,5}$/), { minLength: 1, maxLength: 12 })
      .map((ids) => ids.map(option)),
    required: fc.boolean(),
  },
  { requiredKeys: ['id', 'text'] },
)
const anyDesign = fc
  .record({
    type: fc.constantFrom(...patternTypes),
    capacity: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
    waitingList: fc.boolean(),
    questions: fc.uniqueArray(question, { maxLength: 20, selector: ({ id }) => id }),
  })
  .map(({ type, questions, ...places }) => ({
    ...design({ type, ...(type !== 'survey' && places) }),
    questions:
      type === 'survey' && questions.length === 0
        ? [meal]
        : type === 'rsvp' && questions[0]
          ? [{ ...questions[0], options: [option('yes'), option('no')] }, ...questions.slice(1)]
          : questions,
  }))

describe('the graph of a pattern', () => {
  it('has no problems, and says everything in both languages', () => {
    fc.assert(
      fc.property(anyDesign, (of) => {
        const graph = patternGraph(of as PatternDesign, 'own')
        expect(graphProblems(graph, { pattern: true, administrative: false, variables: [] })).toEqual([])
        const own = graph.nodes.flatMap((node) => (node.kind === 'message' ? node.messages : []))
        for (const message of own)
          for (const locale of locales) expect(message).toHaveProperty(['text', locale])
      }),
    )
  })
})

describe('the options of a pattern', () => {
  it('are none of the texts by which people leave, when they are typed', () => {
    fc.assert(
      fc.property(anyDesign, (of) => {
        const { nodes } = patternGraph(of as PatternDesign, 'own')
        const options = nodes.flatMap((node) => {
          if (node.kind === 'question') return optionsOf(node.message)
          return node.kind === 'register' ? (node.waitingList?.messages ?? []).flatMap(optionsOf) : []
        })
        expect(options).not.toEqual([])
        for (const { id, label } of options)
          for (const text of [id, label['zh-TW'], label.en ?? ''])
            expect(exitKeywords).not.toContain(normaliseText(text))
      }),
    )
  })
})

describe('a registration', () => {
  const full = design({ capacity: 3, waitingList: true, questions: [meal, note] })

  it('asks, takes a place, and offers to change or cancel', () => {
    const { path, says, ends } = play(full, { join: 'yes', meal: 'veg', note: 'skip', take: 'registered' })
    expect(path).toEqual(['start', 'join', 'meal', 'note', 'take', 'recap', 'manage'])
    expect(ends).toEqual({ waits: 'manage' })
    expect(says[0]!.messages[0]).toMatchObject({
      text: { 'zh-TW': expect.stringContaining('圖書館導覽\n\n截止時間：2026/12/01 18:00\n剩餘名額：3') },
    })
  })

  it('says what the person has registered for, and with which answers', () => {
    const recapOf = (answers: Record<string, string>, of: PatternDesign = full) =>
      play(of, { join: 'yes', take: 'registered', ...answers }).says.flatMap(({ node, messages }) =>
        node === 'recap' ? messages.map((message) => 'text' in message && message.text) : [],
      )
    expect(recapOf({ meal: 'veg', note: '靠窗' })).toEqual([
      {
        'zh-TW': '「圖書館導覽」\n・葷食還是素食？ veg\n・有什麼要說的嗎？ 靠窗',
        en: '“Library tour”\n• 葷食還是素食？ veg\n• 有什麼要說的嗎？ 靠窗',
      },
    ])
    const where = design({ description: { 'zh-TW': '週六下午兩點，總圖' }, questions: [meal, note] })
    expect(recapOf({ meal: 'meat', note: 'skip' }, where)).toMatchObject([
      { 'zh-TW': '「圖書館導覽」\n週六下午兩點，總圖\n・葷食還是素食？ meat' },
    ])
    expect(recapOf({}, design())).toEqual([])
  })

  it.each<[string, Record<string, string | null>, string[], object]>([
    ['begins anew to change an answer', { manage: 'change' }, ['again'], { state: 'done', jumpsTo: 'own' }],
    [
      'gives the place up',
      { manage: 'withdraw', leave: 'withdrawn' },
      ['leave', 'withdrawn'],
      { waits: 'withdrawn' },
    ],
    ['ends silently at the deadline', { manage: null }, ['over'], { state: 'done' }],
  ])('%s', (_name, answers, rest, ends) => {
    const played = play(full, { join: 'yes', meal: 'veg', note: '靠窗', take: 'registered', ...answers })
    expect(played.path.slice(7)).toEqual(rest)
    expect(played.ends).toEqual(ends)
  })

  it.each<[string, Parameters<typeof play>[2], string]>([
    [
      'leads who is registered to what they have',
      { pattern: { own: { state: 'registered', byThisRun: false } } },
      'manage',
    ],
    [
      'asks only what can be changed of who has a place, and not whether they want one',
      {
        pattern: { own: { state: 'registered', byThisRun: false }, registered: 3 },
        variables: { wish: 'change' },
      },
      'meal',
    ],
    ['asks also when it is full, because one can wait', { pattern: { registered: 3 } }, 'join'],
  ])('%s', (_name, at, node) => {
    expect(play(full, {}, at).path[1]).toBe(node)
  })

  const registered = { own: { state: 'registered', byThisRun: false } } as const
  it.each<[string, Record<string, string | null>, Parameters<typeof play>[2], string[]]>([
    ['who opens it', {}, { now: deadline }, ['start', 'late', 'closed', 'over']],
    [
      'who opens it and has a place',
      {},
      { now: deadline, pattern: registered },
      ['start', 'late', 'kept', 'over'],
    ],
    [
      'who stopped in the middle',
      { join: 'yes', meal: 'veg', note: null },
      {},
      ['start', 'join', 'meal', 'note', 'late', 'closed', 'over'],
    ],
    [
      'who stopped while changing what they have',
      { meal: null },
      { pattern: registered, variables: { wish: 'change' } },
      ['start', 'meal', 'late', 'kept', 'over'],
    ],
    [
      'who cancels too late',
      { manage: 'withdraw', leave: 'closed' },
      { pattern: registered },
      ['start', 'manage', 'leave', 'late', 'kept', 'over'],
    ],
  ])('once it is closed, tells %s what holds', (_name, answers, at, path) => {
    const played = play(full, answers, at)
    expect(played.path).toEqual(path)
    expect(JSON.stringify(played.says.at(-1))).toMatch(
      path.includes('kept') ? /您的報名有效.*You are registered/ : /已經截止(?!.*有效)/,
    )
  })

  it('names the changes that its buttons make, and no others', () => {
    const told = (parts: Parameters<typeof play>[0], answers: object) => {
      const { messages } = play(parts, { join: 'yes', ...answers, take: 'registered' }).says.at(-1)!
      return JSON.stringify(messages)
    }
    expect(told(full, { meal: 'veg', note: '靠窗' })).toMatch(/更改回覆或取消報名.*"更改回覆".*"取消報名"/)
    expect(told(design({ capacity: 3 }), {})).toMatch(/^(?!.*更改).*取消報名/)
    expect(told(design({ capacity: 3 }), {})).toMatch(/^(?!.*change).*cancel your registration/)
  })

  it('says beside the places that people may wait, where they may', () => {
    const invitation = (parts: object) =>
      JSON.stringify(play(design({ capacity: 3, ...parts }), {}).says[0]!.messages)
    expect(invitation({ waitingList: true })).toMatch(
      /剩餘名額：3（額滿可候補）.*Places left: 3 \(waiting list if full\)/,
    )
    expect(invitation({})).not.toMatch(/候補|waiting list/)
  })

  it.each<[string, object]>([
    ['who opens it', {}],
    ['who wants a place after all', { variables: { wish: 'rejoin' } }],
  ])('says at once to %s that it is full where nobody can wait', (_name, at) => {
    const { path } = play(design({ capacity: 1 }), {}, { pattern: { registered: 1 }, ...at })
    expect(path).toEqual(['start', 'full', 'over'])
  })

  it('takes a no for a withdrawal', () => {
    expect(play(full, { join: 'no', refuse: 'withdrawn' }).path).toEqual([
      'start',
      'join',
      'refuse',
      'declined',
    ])
  })
})

describe('an rsvp', () => {
  it('asks yes or no unless said otherwise', () => {
    expect(play(design({ type: 'rsvp' }), { attend: 'yes', take: 'registered' }).path).toEqual([
      ...['start', 'attend', 'take', 'manage'],
    ])
    const own = { id: 'coming', text: title, options: ['yes', 'later', 'no'].map(option) }
    const { attendance } = questionsOf(design({ type: 'rsvp', questions: [own, meal] }))
    expect(attendance?.id).toBe('coming')
    const rsvp = design({ type: 'rsvp', questions: [own, meal] })
    expect(play(rsvp, { coming: 'later', refuse: 'withdrawn' }).path).toEqual([
      ...['start', 'coming', 'refuse', 'declined'],
    ])
  })

  it('takes another answer than yes for no, and says only that it takes nobody', () => {
    const declined = (parts: Partial<PatternDesign>, answers: object) =>
      JSON.stringify(
        play(design({ type: 'rsvp', ...parts }), { ...answers, refuse: 'withdrawn' }).says.at(-1),
      )
    expect(declined({}, { attend: 'no' })).toMatch(/您無法出席.*you cannot come/)
    const coming = { id: 'coming', text: title, options: ['yes', 'later', 'no'].map(option) }
    expect(declined({ questions: [coming] }, { coming: 'later' })).toMatch(
      /名單上目前沒有您.*not on the list/,
    )
  })

  it('asks again whether they come of who wants to change something, and says what holds too late', () => {
    const at = {
      pattern: { own: { state: 'registered', byThisRun: false } },
      variables: { wish: 'change' },
    } as const
    const late = play(design({ type: 'rsvp' }), { attend: 'no', refuse: 'closed' }, at)
    expect(late.path).toEqual(['start', 'attend', 'refuse', 'late', 'kept', 'over'])
    expect(JSON.stringify(late.says.at(-1))).toMatch(/您的回覆是會出席.*You are attending/)
  })
})

describe('a text that has to be typed', () => {
  const wishes = { id: 'wishes', text: { 'zh-TW': '想看什麼？' } }

  it('leads whoever cannot type to the chat, in every type', () => {
    for (const type of patternTypes) {
      const questions = type === 'rsvp' ? [{ ...meal, options: [option('yes')] }, wishes] : [meal, wishes]
      const { nodes, edges } = patternGraph(design({ type, questions }), 'own')
      expect(edges).toContainEqual({ from: 'wishes', to: 'chat_only', when: { kind: 'error' } })
      expect(nodes).toContainEqual({
        ...{ id: 'chat_only', kind: 'message' },
        messages: [
          { kind: 'text', text: expect.objectContaining({ en: expect.stringMatching(/in the chat/) }) },
        ],
      })
      expect(nodes.filter(({ id }) => id === 'chat_only')).toHaveLength(1)
    }
  })

  it('is no obstacle where it can be skipped', () => {
    const { nodes } = patternGraph(design({ questions: [meal, note] }), 'own')
    expect(nodes.map(({ id }) => id)).not.toContain('chat_only')
  })
})

describe('a survey', () => {
  const survey = design({ type: 'survey', questions: [meal, { ...note, required: true }] })

  it('introduces itself, asks, and offers to answer again', () => {
    const { path, says } = play(survey, { meal: 'meat', note: '很好', thanks: 'change' })
    expect(path).toEqual(['start', 'intro', 'meal', 'note', 'thanks', 'again'])
    expect(says.slice(0, 2).map(({ node }) => node)).toEqual(['intro', 'meal'])
  })

  it('tells who has begun that time is over, and nobody else', () => {
    expect(play(survey, { meal: null }).path.at(-1)).toBe('over')
    expect(play(survey, { meal: 'meat', note: null }).path.slice(-2)).toEqual(['closed', 'over'])
  })
})
