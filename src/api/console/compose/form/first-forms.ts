import type { PatternType } from '../../../../contract/enums.ts'
import type { Pattern } from '../../../../contract/patterns/pattern.ts'
import type { Template } from '../../../../contract/templates/template.ts'
import { canonicalJson } from '../../../../domain/lib/canonical-json.ts'
import { questionsOf } from '../../../../domain/pattern/generate.ts'
import type { WholeDesign } from '../../../../domain/pattern/terms.ts'
import type { DesignedPattern } from '../../../../services/patterns/design.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { formOfBody, organisersField } from './parse-form.ts'

/** A new message begins with a text, to people who are chosen. */
export const newMessage: Fields = [
  ['messages.0.kind', 'text'],
  ['audience.kind', 'query'],
]

/** A survey begins with a question of two answers: it needs one. */
export function newPattern(type: PatternType): Fields {
  const question = { id: 'q1', options: [{ id: 'o1' }, { id: 'o2' }] }
  return fieldsOf({ type, ...(type === 'survey' && { questions: [question] }) })
}

/** A new template begins with a text. */
export const newTemplate: Fields = [['messages.0.kind', 'text']]

/** The newest version of a template, to write the next one; its name and category stay. */
export function nextVersionOf({ name, categoryId, messages, subject, variables }: Template): Fields {
  return fieldsOf({ name, categoryId, messages, subject, variables })
}

/** The newest version of a pattern, to write the next one. */
export function nextPatternOf({ pattern, design }: DesignedPattern, timeZone: string): Fields {
  const organisers = pattern.organisers.map(({ id }): [string, string] => [`${organisersField}[]`, id])
  return [...formOfBody(askedIn(design), timeZone), ...organisers]
}

/** A pattern to be written of another, called as a copy. `now`: ms since the epoch; a deadline that has passed stays behind. */
export function copyOfPattern(design: WholeDesign, timeZone: string, now: number): Fields {
  const { name: _, deadline, title, ...rest } = askedIn(design)
  const copied = { 'zh-TW': `${title['zh-TW']}（副本）`, ...(title.en && { en: `${title.en} (copy)` }) }
  const times = Date.parse(deadline) > now ? { deadline } : {}
  return formOfBody({ ...rest, title: copied, ...times }, timeZone)
}

/** Without what a form says by itself: the name that is the title, and the question that an rsvp asks first. */
function askedIn({
  name,
  questions = [],
  ...design
}: WholeDesign): Omit<WholeDesign, 'name'> & { name?: string } {
  const { attendance } = questionsOf({ type: design.type, title: design.title })
  const isOwn = canonicalJson(questions[0] ?? null) !== canonicalJson(attendance)
  return {
    ...design,
    ...(name !== design.title['zh-TW'] && { name }),
    questions: isOwn ? questions : questions.slice(1),
  }
}

/** What the button of an invitation says. */
const labels = {
  registration: { 'zh-TW': '我要報名', en: 'Register' },
  survey: { 'zh-TW': '開始填寫', en: 'Answer' },
  rsvp: { 'zh-TW': '回覆', en: 'Reply' },
}

/** A message whose button starts the conversation of a pattern. */
export function invitationTo({ type, scenarioId, categoryId, title, description }: Pattern): Fields {
  const text = {
    'zh-TW': [title['zh-TW'], description?.['zh-TW'] ?? ''].filter(Boolean).join('\n\n'),
    en: [title.en ?? '', description?.en ?? ''].filter(Boolean).join('\n\n'),
  }
  const action = { kind: 'jumpScenario', label: labels[type], scenarioId }
  return fieldsOf({
    categoryId,
    messages: [{ kind: 'buttons', text, actions: [action] }],
    audience: { kind: 'query' },
  })
}
