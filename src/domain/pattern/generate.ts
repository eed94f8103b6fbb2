import type { RegisterResult } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Action, CanonicalMessage } from '../../contract/messages/content.ts'
import type { CreatePattern, PatternQuestion } from '../../contract/patterns/pattern.ts'
import type { EdgeCase, Graph, ScenarioEdge, ScenarioNode } from '../../contract/scenarios/graph.ts'
import { calendarLabels, calendarLines, type TitledEntry } from '../content/calendar.ts'
import { type Both, both, patternWords } from './words.ts'

/** What a pattern is made of. */
export type PatternDesign = Pick<
  CreatePattern,
  'type' | 'title' | 'description' | 'capacity' | 'waitingList' | 'questions' | 'calendar'
>

/**
 * The questions of a pattern as they are asked. `attendance`: the one that decides about taking part; null: of a
 * survey.
 */
type PatternQuestions = { attendance: PatternQuestion | null; others: PatternQuestion[] }

/** The ids of the nodes that are no questions of the author, by what they are. */
export const generatedNodes = [
  ...['start', 'intro', 'join', 'attend', 'take', 'manage', 'leave', 'refuse', 'declined'],
  ...['withdrawn', 'full', 'late', 'kept', 'recap', 'closed', 'thanks', 'chat_only', 'again', 'over'],
] as const
/** Those of a pattern with a calendar entry besides. */
export const calendarNodes = ['entry', 'entry_gone', 'had'] as const

type Generated = (typeof generatedNodes | typeof calendarNodes)[number]

/** The option that takes part, and the one that skips a question. */
export const takesPart = 'yes'

/** The option of those who do not. Any other option leaves it open. */
export const declines = 'no'
export const skips = 'skip'

/** Which question decides, and which follow it. Of an rsvp the author may write it: the first. */
export function questionsOf({ type, questions = [] }: PatternDesign): PatternQuestions {
  const [first, ...rest] = questions
  switch (type) {
    case 'survey':
      return { attendance: null, others: questions }
    case 'rsvp':
      return first
        ? { attendance: first, others: rest }
        : { attendance: patternWords.rsvp.attendance, others: [] }
    case 'registration':
      return { attendance: patternWords.registration.attendance, others: questions }
  }
}

/**
 * The graph of a pattern's scenario, which has no problems (`graphProblems`). `scenarioId`: its own, to start again.
 * `timeZone`: in which people read the times of its calendar entry.
 */
export function patternGraph(design: PatternDesign, scenarioId: string, timeZone = 'UTC'): Graph {
  const { attendance, others } = questionsOf(design)
  const graph = attendance ? taking(design, { attendance, others }, timeZone) : asking(design, others)
  return {
    nodes: [
      ...graph.nodes,
      { id: 'again', kind: 'jump', scenarioId, variables: [wish] },
      { id: 'over', kind: 'end' },
    ],
    edges: [...graph.edges, edge('again', 'over', { kind: 'error' })],
  }
}

/**
 * The variable by which a run that starts again knows why: the person wants to `change` what they have, or after all to
 * take part (`rejoin`), as anybody who opens it.
 */
const wish = 'wish'
const change = 'change'
const rejoin = 'rejoin'

/** A survey: an introduction, the questions, thanks. */
function asking(design: PatternDesign, questions: PatternQuestion[]): Graph {
  const { closed, thanks, changeAnswers } = patternWords.survey
  const [first] = questions
  return joined(
    branch('start', [['closed', is('pattern.status', 'closed')]], 'intro'),
    says('intro', introduction(design), first!.id),
    // Who has answered nothing gets no notice that the time is over.
    chain(design, questions, { afterwards: 'thanks', unanswered: 'over', late: 'closed' }),
    manages('thanks', titled(design, thanks), [[change, changeAnswers, 'again']]),
    says('closed', titled(design, closed), 'over'),
  )
}

/** A registration or an rsvp: whether to take part, the questions, a place. */
function taking(
  design: PatternDesign,
  { attendance, others }: PatternQuestions & { attendance: PatternQuestion },
  timeZone: string,
): Graph {
  const words = patternWords[design.type === 'rsvp' ? 'rsvp' : 'registration']
  const waits = mayWait(design)
  const { id } = attendance
  const changes = design.type === 'rsvp' || others.length > 0
  const recaps = design.description !== undefined || others.length > 0
  const { calendar } = design
  const settled = calendar ? 'entry' : 'manage'
  return joined(
    branch(
      'start',
      [
        ['late', is('pattern.status', 'closed')],
        // Who is registered is not asked whether they want to, beside a number of places that are left for others.
        ...(changes ? [[design.type === 'rsvp' ? id : others[0]!.id, is(wish, change)] as Case] : []),
        ['manage', is('pattern.registration', 'registered')],
        ...(design.capacity === undefined || waits ? [] : [['full', is('pattern.status', 'full')] as Case]),
      ],
      id,
    ),
    asks(
      {
        ...attendance,
        text: both((locale) => [...introOf(design, locale), textIn(attendance.text, locale)]),
      },
      [
        [others[0]?.id ?? 'take', { kind: 'option', optionId: takesPart }],
        [calendar ? 'had' : 'refuse', { kind: 'otherwise' }],
        ['over', { kind: 'timeout' }],
      ],
    ),
    chain(design, others, { afterwards: 'take', unanswered: 'late', late: 'late' }),
    registers(
      {
        id: 'take',
        kind: 'register',
        ...(waits && { waitingList: { messages: [waiting(titled(design, words.waiting))] } }),
      },
      {
        registered: recaps ? 'recap' : settled,
        full: 'full',
        closed: 'closed',
        ...(waits && { withdrawn: 'withdrawn' }),
      },
    ),
    ...(recaps ? [recap(design, others, settled)] : []),
    ...(calendar ? entries({ ...calendar, title: calendar.title ?? design.title }, timeZone) : []),
    manages('manage', titled(design, changes ? words.registered : patternWords.registeredOnly), [
      ...(changes ? [[change, words.change, 'again'] as Choice] : []),
      ['withdraw', words.withdraw, 'leave'],
    ]),
    registers(
      { id: 'leave', kind: 'register', withdraw: true },
      {
        withdrawn: calendar ? 'entry_gone' : 'withdrawn',
        closed: 'late',
      },
    ),
    registers({ id: 'refuse', kind: 'register', withdraw: true }, { withdrawn: 'declined', closed: 'late' }),
    manages('declined', titled(design, isOwn(design) ? patternWords.notListed : words.declined), [
      [rejoin, words.rejoin, 'again'],
    ]),
    manages('withdrawn', titled(design, words.withdrawn), [[rejoin, words.rejoin, 'again']]),
    says('full', titled(design, words.full), 'over'),
    // Who has a place must not take the end of the questions for the loss of it.
    branch('late', [['kept', is('pattern.registration', 'registered')]], 'closed'),
    says('kept', titled(design, words.kept), 'over'),
    says('closed', titled(design, words.closed), 'over'),
  )
}

type Case = [to: string, when: EdgeCase]
type Choice = [id: string, label: LocalisedText, to: string]

function branch(id: Generated, cases: Case[], otherwise: string): Graph {
  return {
    nodes: [{ id, kind: 'branch' }],
    edges: [...cases.map(([to, when]) => edge(id, to, when)), edge(id, otherwise, { kind: 'otherwise' })],
  }
}

function is(variable: string, value: string): EdgeCase {
  return { kind: 'equals', variable, value }
}

function says(id: Generated, text: LocalisedText, to: string): Graph {
  return { nodes: [{ id, kind: 'message', messages: [{ kind: 'text', text }] }], edges: [edge(id, to)] }
}

/**
 * What the person has registered for, and with which answers; above how to change it. What cannot be sent is left out, since
 * the other must not be.
 */
function recap({ title, description }: PatternDesign, questions: PatternQuestion[], to: Generated): Graph {
  const text = both((locale) => {
    const head = patternWords.recap[locale].replace('⟨title⟩', () => textIn(title, locale))
    const about = description ? `\n${textIn(description, locale)}` : ''
    return [`${head}${about}${questions.map((question) => answerOf(question, locale)).join('')}`]
  })
  return orElse(says('recap', text, to), 'recap', to)
}

/** A message without which the way goes on where it cannot be sent. */
function orElse({ nodes, edges }: Graph, id: Generated, to: Generated): Graph {
  return { nodes, edges: [...edges, edge(id, to, { kind: 'error' })] }
}

/**
 * What who has a place can add to their calendar, and what takes it out again once they give it up. Who answers that they do
 * not come, and had a place, gives it up.
 */
function entries(entry: TitledEntry, timeZone: string): Graph[] {
  const offer = (id: Generated, text: LocalisedText, label: LocalisedText, to: Generated): Graph => {
    const action: Action = { kind: 'uri', label, url: '{{ pattern.calendar }}' }
    const node: ScenarioNode = {
      id,
      kind: 'message',
      messages: [{ kind: 'buttons', text, actions: [action] }],
    }
    return orElse({ nodes: [node], edges: [edge(id, to)] }, id, to)
  }
  const lines = both((locale) => [calendarLines(locale, entry, timeZone).join('\n')])
  return [
    offer('entry', lines, calendarLabels.add, 'manage'),
    branch('had', [['leave', is('pattern.registration', 'registered')]], 'refuse'),
    offer('entry_gone', lines, calendarLabels.remove, 'withdrawn'),
  ]
}

/** A line with a question and the answer of the run, as the person read it; nothing where they gave none. */
function answerOf({ id, text, options }: PatternQuestion, locale: keyof Both): string {
  const answer = `answers["${id}"]`
  const labels = options?.map((option) => `{% when "${option.id}" %}${textIn(option.label, locale)}`)
  const value = labels ? `{% case ${answer} %}${labels.join('')}{% endcase %}` : `{{ ${answer} }}`
  const line = `\n${patternWords.bullet[locale]}${textIn(text, locale)} ${value}`
  return `{% if ${answer} and ${answer} != "${skips}" %}${line}{% endif %}`
}

/**
 * Questions one after the other. `unanswered`: where the first leads when nobody answers it; `late`: the others. A text
 * that has to be typed cannot be by mail: the person learns there that it goes on in the chat.
 */
function chain(
  design: PatternDesign,
  questions: PatternQuestion[],
  { afterwards, unanswered, late }: { afterwards: string; unanswered: Generated; late: Generated },
): Graph {
  const typed = questions.filter((question) => !question.options && question.required !== false)
  return joined(
    ...questions.map((question, index) => {
      const next = questions[index + 1]?.id ?? afterwards
      const optional = question.required === false
      return asks(question, [
        ...(question.options || optional ? [[next, { kind: 'otherwise' }] as Case] : []),
        ...(question.options ? [] : [[next, { kind: 'text' }] as Case]),
        [index === 0 ? unanswered : late, { kind: 'timeout' }],
        ...(typed.includes(question) ? [['chat_only', { kind: 'error' }] as Case] : []),
      ])
    }),
    ...(typed.length > 0 ? [says('chat_only', titled(design, patternWords.chatOnly), 'over')] : []),
  )
}

function asks({ id, text, options = [], required }: PatternQuestion, ways: Case[]): Graph {
  const skip = { id: skips, label: patternWords.skip }
  const choices = [...options, ...(required === false ? [skip] : [])]
  return {
    nodes: [{ id, kind: 'question', message: questionMessage(text, choices), timeoutSeconds: longest }],
    edges: ways.map(([to, when]) => edge(id, to, when)),
  }
}

/** The deadline of the pattern closes a question; its own time-out is as long as it can be. */
const longest = limits.scenarioWaitSeconds

function questionMessage(
  text: LocalisedText,
  options: { id: string; label: LocalisedText }[],
): CanonicalMessage {
  if (options.length === 0) return { kind: 'text', text }
  if (options.length > limits.actionsPerButtons) return { kind: 'quickReply', text, options }
  return {
    kind: 'buttons',
    text,
    actions: options.map(({ id, label }) => ({ kind: 'postback', label, data: { v: 1, o: id } })),
  }
}

/** Says how things stand, and offers to change it until the deadline. What cannot be sent changes nothing. */
function manages(id: Generated, text: LocalisedText, choices: Choice[]): Graph {
  return {
    nodes: [
      {
        id,
        kind: 'question',
        timeoutSeconds: longest,
        saveAs: wish,
        message: questionMessage(
          text,
          choices.map(([option, label]) => ({ id: option, label })),
        ),
      },
    ],
    edges: [
      ...choices.map(([optionId, , to]) => edge(id, to, { kind: 'option', optionId })),
      edge(id, 'over', { kind: 'timeout' }),
      edge(id, 'over', { kind: 'error' }),
    ],
  }
}

function waiting(text: LocalisedText): CanonicalMessage {
  return questionMessage(text, [{ id: 'withdraw', label: patternWords.stopWaiting }])
}

function registers(node: ScenarioNode, ways: Partial<Record<RegisterResult, string>>): Graph {
  return {
    nodes: [node],
    edges: Object.entries(ways).map(([result, to]) =>
      edge(node.id, to, { kind: 'result', result: result as RegisterResult }),
    ),
  }
}

function edge(from: string, to: string, when?: EdgeCase): ScenarioEdge {
  return { from, to, ...(when && { when }) }
}

function joined(...parts: Graph[]): Graph {
  return { nodes: parts.flatMap(({ nodes }) => nodes), edges: parts.flatMap(({ edges }) => edges) }
}

/** The title, what is below it, and until when; of a registration with places also how many are left. */
function introduction(design: PatternDesign): LocalisedText {
  return both((locale) => introOf(design, locale))
}

function introOf(design: PatternDesign, locale: keyof Both): string[] {
  const { title, description, capacity } = design
  const { until, left, leftOrWait } = patternWords
  const places = mayWait(design) ? leftOrWait : left
  return [
    textIn(title, locale),
    ...(description ? [textIn(description, locale)] : []),
    [until[locale], ...(capacity === undefined ? [] : [places[locale]])].join('\n'),
  ]
}

/** Whether the author wrote the question that decides: other answers than yes may mean more than no. */
function isOwn({ type, questions = [] }: PatternDesign): boolean {
  return type === 'rsvp' && questions.length > 0
}

/** Whether people may wait for a place: where places are counted. */
function mayWait({ waitingList, capacity }: PatternDesign): boolean {
  return waitingList === true && capacity !== undefined
}

/** A text about the pattern, which it names. */
function titled({ title }: PatternDesign, text: Both): LocalisedText {
  return both((locale) => [text[locale].replace('⟨title⟩', () => textIn(title, locale))])
}

function textIn(text: LocalisedText, locale: keyof Both): string {
  return text[locale] ?? text['zh-TW']
}
