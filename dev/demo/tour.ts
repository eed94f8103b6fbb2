import type { CreateScenario, Scenario, ScenarioPage } from '../../src/contract/scenarios/scenario.ts'
import { categories } from './catalogue.ts'
import { type Caller, call } from './send.ts'

/** What a person writes to begin: the first is read in Chinese, the second in English. */
export const tourKeywords = ['導覽', 'tour'] as const

/** How long its questions wait, in seconds: short enough to watch one run out. */
const questionSeconds = 300

const tourName = '校園導覽 Campus tour'

/** What the scenario is until its id is known, which its graph names. */
const emptyTour: CreateScenario = {
  name: tourName,
  categoryId: categories.events.id,
  nodes: [{ id: 'over', kind: 'end' }],
  edges: [],
}

/**
 * A conversation about a campus tour: a day, chosen or typed; the places left, from the producer's system; a question
 * with buttons, and one that takes any text; a day without a tour is asked for again. `producer`: the address of that
 * system. `id`: of the scenario, which begins itself again.
 */
export function tourScenario(producer: string, id: string): CreateScenario {
  return {
    name: tourName,
    description: '詢問日期，查詢名額，接受報名。 Asks for a day, looks up the places left, and takes names.',
    categoryId: categories.events.id,
    triggers: { keywords: [...tourKeywords] },
    nodes: [
      {
        id: 'day',
        kind: 'question',
        message: {
          kind: 'quickReply',
          text: {
            'zh-TW': '歡迎參加校園導覽！您想哪一天來？請點選，或輸入其他日期。',
            en: 'Welcome to the campus tour! Which day suits you? Tap one, or type another day.',
          },
          options: [
            { id: 'sat', label: { 'zh-TW': '星期六', en: 'Saturday' } },
            { id: 'sun', label: { 'zh-TW': '星期日', en: 'Sunday' } },
          ],
        },
        timeoutSeconds: questionSeconds,
        saveAs: 'day',
      },
      {
        id: 'places',
        kind: 'lookup',
        method: 'GET',
        url: `${producer}/lookups/tours`,
        variables: ['day'],
      },
      { id: 'free', kind: 'branch' },
      {
        id: 'join',
        kind: 'question',
        message: {
          kind: 'buttons',
          text: {
            'zh-TW':
              '{{ tour.day.zh }} {{ tour.starts }} 的導覽從{{ tour.place.zh }}出發，還有 {{ tour.left }} 個名額。要幫您報名嗎？',
            en: 'The tour on {{ tour.day.en }} starts at {{ tour.starts }} from {{ tour.place.en }}, and has {{ tour.left }} places left. Shall we register you?',
          },
          actions: [
            {
              kind: 'nextNode',
              label: { 'zh-TW': '好，幫我報名', en: 'Yes, please' },
              nodeId: 'note',
              optionId: 'yes',
            },
            {
              kind: 'nextNode',
              label: { 'zh-TW': '這次先不要', en: 'Not this time' },
              nodeId: 'bye',
              optionId: 'no',
            },
          ],
        },
        timeoutSeconds: questionSeconds,
      },
      {
        id: 'note',
        kind: 'question',
        message: {
          kind: 'quickReply',
          text: {
            'zh-TW': '有什麼想先告訴導覽員的嗎？請直接輸入，例如「需要輪椅」。',
            en: 'Is there anything the guide should know? Just type it, such as “I use a wheelchair”.',
          },
          options: [{ id: 'none', label: { 'zh-TW': '沒有', en: 'Nothing' } }],
        },
        timeoutSeconds: questionSeconds,
        saveAs: 'note',
      },
      { id: 'mark', kind: 'tag', add: ['interest:campus-tour'] },
      {
        id: 'thanks',
        kind: 'message',
        messages: [
          {
            kind: 'text',
            text: {
              'zh-TW': '已為您報名。{{ tour.day.zh }} {{ tour.starts }}，{{ tour.place.zh }}見！',
              en: 'You are on the list. See you on {{ tour.day.en }} at {{ tour.starts }}, at {{ tour.place.en }}!',
            },
          },
        ],
      },
      says(
        'full',
        '{{ tour.day.zh }}的導覽已額滿，請再選一天。',
        'The tour on {{ tour.day.en }} is full. Please choose another day.',
      ),
      says(
        'unknown',
        '查不到那一天的導覽。目前開放的是星期六和星期日，請再選一天。',
        'We found no tour on that day. Tours are on Saturday and Sunday: please choose one of them.',
      ),
      says(
        'silent',
        '還沒收到您的回覆，我們先到這裡。想繼續的話，請再傳一次「導覽」。',
        'We have not heard from you, so we stop here. To go on, send “tour” again.',
      ),
      { id: 'again', kind: 'jump', scenarioId: id },
      says('bye', '好的，期待下次見面！', 'All right. See you another time!'),
      { id: 'over', kind: 'end' },
    ],
    edges: [
      { from: 'day', to: 'places', when: { kind: 'otherwise' } },
      { from: 'day', to: 'places', when: { kind: 'text' } },
      { from: 'day', to: 'silent', when: { kind: 'timeout' } },
      { from: 'places', to: 'free' },
      { from: 'places', to: 'unknown', when: { kind: 'error' } },
      { from: 'free', to: 'join', when: { kind: 'atLeast', variable: 'tour.left', value: 1 } },
      { from: 'free', to: 'full', when: { kind: 'otherwise' } },
      { from: 'join', to: 'silent', when: { kind: 'timeout' } },
      { from: 'note', to: 'mark', when: { kind: 'otherwise' } },
      { from: 'note', to: 'mark', when: { kind: 'text' } },
      { from: 'note', to: 'mark', when: { kind: 'timeout' } },
      { from: 'mark', to: 'thanks' },
      ...['full', 'unknown'].map((from) => ({ from, to: 'again' })),
      { from: 'again', to: 'over', when: { kind: 'error' } },
      ...['thanks', 'silent', 'bye'].map((from) => ({ from, to: 'over' })),
    ],
    farewell: {
      'zh-TW': '校園導覽暫停受理，這次的對話先到這裡，謝謝您。',
      en: 'We take no more people for campus tours at the moment, so this conversation ends here. Thank you.',
    },
  }
}

function says(id: string, chinese: string, english: string): CreateScenario['nodes'][number] {
  return { id, kind: 'message', messages: [{ kind: 'text', text: { 'zh-TW': chinese, en: english } }] }
}

/**
 * Puts the scenario in force: the editor writes it and asks for its activation, the approver approves it. One that was
 * paused or retired stays as it is. Returns its id.
 */
export async function ensureTour(editor: Caller, approver: Caller, producer: string): Promise<string> {
  const { items } = await call<ScenarioPage>(editor, 'GET', '/v1/scenarios?limit=200')
  const match = items.find(({ name }) => name === tourName)
  const { id, state } = match ?? (await call<Scenario>(editor, 'POST', '/v1/scenarios', emptyTour))
  if (state === 'paused' || state === 'retired') return id
  await activate(editor, approver, id, tourScenario(producer, id))
  return id
}

/** Puts a scenario in force with this content, which the approver approves if a person must. */
export async function activate(
  editor: Caller,
  approver: Caller,
  id: string,
  content: CreateScenario,
): Promise<void> {
  const scenario = await call<Scenario>(editor, 'PUT', `/v1/scenarios/${id}`, { ...content, state: 'active' })
  if (scenario.versionState === 'submitted')
    await call(approver, 'POST', `/v1/scenarios/${id}/approve`, { version: scenario.version })
}
