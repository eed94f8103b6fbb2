import type { CreatedPattern, CreatePattern, PatternPage } from '../../src/contract/patterns/pattern.ts'
import type { Scenario } from '../../src/contract/scenarios/scenario.ts'
import { categories } from './catalogue.ts'
import { type Caller, call } from './send.ts'
import { activate } from './tour.ts'

/** What a person writes to register: the first is read in Chinese, the second in English. */
export const registrationKeywords = ['報名', 'register'] as const

/** How many places there are: few enough to see somebody wait. */
export const places = 3

const dayMs = 86_400_000
/** The registration closes so many days after the start that finds it closed. */
const openDays = 300

/** A registration for a workshop, with a question, and a waiting list for who comes too late. */
function workshop(deadline: string): CreatePattern {
  return {
    type: 'registration',
    name: '烘焙工作坊 Baking workshop',
    categoryId: categories.events.id,
    title: { 'zh-TW': '烘焙工作坊', en: 'Baking workshop' },
    description: {
      'zh-TW': '星期五 18:30，學生活動中心二樓，一起做肉桂捲。',
      en: 'Friday, 18:30, student centre, second floor: cinnamon rolls.',
    },
    deadline,
    capacity: places,
    waitingList: true,
    questions: [
      {
        id: 'diet',
        text: { 'zh-TW': '有飲食上的限制嗎？', en: 'Is there anything you do not eat?' },
        options: [
          { id: 'none', label: { 'zh-TW': '沒有', en: 'No' } },
          { id: 'vegan', label: { 'zh-TW': '全素', en: 'I am vegan' } },
          { id: 'nuts', label: { 'zh-TW': '對堅果過敏', en: 'No nuts' } },
        ],
      },
    ],
  }
}

/**
 * Opens the registration: the editor makes it and lets a keyword start its scenario, the approver approves that. One that
 * has closed since is opened again. Returns the id of its scenario.
 */
export async function ensureRegistration(editor: Caller, approver: Caller): Promise<string> {
  const design = workshop(new Date(Date.now() + openDays * dayMs).toISOString())
  const { items } = await call<PatternPage>(editor, 'GET', '/v1/patterns?limit=200')
  const match = items.find(({ name }) => name === design.name)
  if (match?.status === 'closed')
    await call(editor, 'PATCH', `/v1/patterns/${match.id}`, { deadline: design.deadline })
  const { scenarioId } = match ?? (await call<CreatedPattern>(editor, 'POST', '/v1/patterns', design))
  if (match?.scenarioState === 'paused' || match?.scenarioState === 'retired') return scenarioId
  const generated = await call<Scenario>(editor, 'GET', `/v1/scenarios/${scenarioId}`)
  const { name, categoryId, nodes, edges } = generated
  const triggers = { keywords: [...registrationKeywords] }
  await activate(editor, approver, scenarioId, { name, categoryId, triggers, nodes, edges })
  return scenarioId
}
