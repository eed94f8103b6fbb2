import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compileChat } from '../../../../src/channels/chat/compile.ts'
import { compileEmail } from '../../../../src/channels/email/compile.ts'
import { patternTypes } from '../../../../src/contract/enums.ts'
import { limits } from '../../../../src/contract/limits.ts'
import { CreatePattern } from '../../../../src/contract/patterns/pattern.ts'
import { CreateScenario } from '../../../../src/contract/scenarios/scenario.ts'
import { contentViolations } from '../../../../src/domain/content/content-check.ts'
import { patternGraph } from '../../../../src/domain/pattern/generate.ts'
import { graphProblems } from '../../../../src/domain/scenario/graph-problems.ts'
import { measurable } from '../../../../src/domain/scenario/measured-text.ts'
import { textsOf } from '../../../../src/domain/scenario/node-texts.ts'
import { mayShowBelow } from '../../../../src/domain/scenario/question.ts'
import { checkDesign } from '../../../../src/services/patterns/check-design.ts'
import { renderingHere } from '../../../fixtures/speech.ts'

const now = Date.UTC(2026, 0, 1)

/** Texts of every kind, also as long as they may be; few that must be refused, so that most patterns are not. */
function text(most: number): fc.Arbitrary<string> {
  const filled = (...units: string[]) =>
    fc.constantFrom(...units).map((unit) => unit.repeat(Math.floor(most / unit.length)))
  return fc.oneof(
    { weight: 100, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: most }) },
    { weight: 100, arbitrary: filled('字', '"', '&', '𠮷', '\n.', '🧑‍🧑‍🧒', '{{ person.displayName }}') },
    { weight: 1, arbitrary: filled('\u200B', '{% if a %}') },
  )
}

function localised(most: number) {
  return fc.record({ 'zh-TW': text(most), en: text(most) }, { requiredKeys: ['zh-TW'] })
}

const id = fc.oneof(
  { weight: 40, arbitrary: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/) },
  { weight: 6, arbitrary: fc.constantFrom('constructor', 'toString', 'yes', 'skip', 'take', 'pattern') },
  { weight: 1, arbitrary: fc.constant('__proto__') },
)
const question = fc.record(
  {
    id,
    text: localised(limits.patternTextLength),
    options: fc.uniqueArray(fc.record({ id, label: localised(limits.patternLabelLength) }), {
      ...{ minLength: 1, maxLength: limits.patternOptions, selector: (option: { id: string }) => option.id },
    }),
    required: fc.boolean(),
  },
  { requiredKeys: ['id', 'text'] },
)
const anyPattern = fc
  .record(
    {
      type: fc.constantFrom(...patternTypes),
      name: fc.constant('Pattern'),
      categoryId: fc.constant('news'),
      deadline: fc.constant('2026-06-01T00:00:00Z'),
      title: localised(limits.patternTitleLength),
      description: localised(limits.patternTextLength),
      capacity: fc.integer({ min: 1, max: limits.patternCapacity }),
      waitingList: fc.boolean(),
      questions: fc.uniqueArray(question, { maxLength: 5, selector: (one) => one.id }),
    },
    { requiredKeys: ['type', 'name', 'categoryId', 'deadline', 'title'] },
  )
  .map((one) => (one.type === 'survey' ? { ...one, capacity: undefined, waitingList: undefined } : one))

/** The pattern as it is created; null: its author is told what must change. */
async function accepted(body: unknown): Promise<CreatePattern | null> {
  const parsed = CreatePattern.safeParse(body)
  if (!parsed.success) return null
  try {
    await checkDesign({ rendering: renderingHere }, 'u', parsed.data, now)
    return parsed.data
  } catch {
    return null
  }
}

it('every pattern that can be created has a scenario that can be activated, on every channel', async () => {
  let created = 0
  let quickReplies = 0
  await fc.assert(
    fc.asyncProperty(anyPattern, async (body) => {
      const design = await accepted(body)
      if (design === null) return
      created++
      const graph = patternGraph(design, '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8eb1')
      expect(graphProblems(graph, { pattern: true, administrative: false, variables: [] })).toEqual([])
      const scenario = { name: design.name, categoryId: design.categoryId, ...graph }
      expect(CreateScenario.safeParse(scenario).error?.issues ?? []).toEqual([])
      for (const { node, messages } of textsOf(graph.nodes)) {
        if (messages.some(({ kind }) => kind === 'quickReply')) quickReplies++
        expect(contentViolations({ messages, subject: null })).toEqual([])
        const measured = { messages: measurable(messages), wave: 'only' as const }
        const chat = compileChat({ ...measured, quickReplies: mayShowBelow(node) }, { m: node.id })
        expect(chat.violations).toEqual([])
        expect(compileEmail({ ...measured, ...around }).violations).toEqual([])
      }
    }),
    { numRuns: 300 },
  )
  expect(created).toBeGreaterThan(50)
  expect(quickReplies).toBeGreaterThan(10)
})

const around = {
  subject: { 'zh-TW': 'Pattern' },
  unit: {
    id: 'u',
    name: { 'zh-TW': '學務處' },
    named: true,
    replyTo: null,
    sender: null,
    timeZone: 'Asia/Taipei',
  },
  categoryId: 'news',
  category: { 'zh-TW': '消息' },
  unsubscribe: true,
}
