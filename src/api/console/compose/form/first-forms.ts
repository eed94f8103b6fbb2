import type { PatternType } from '../../../../contract/enums.ts'
import type { Pattern } from '../../../../contract/patterns/pattern.ts'
import type { Template } from '../../../../contract/templates/template.ts'
import { type Fields, fieldsOf } from './fields.ts'

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
