import type { EventError } from '../../contract/enums.ts'

const then = 'Then send the event again, or replay it.'

/** Why an event made nothing, in words, with what to do next. */
export const eventErrorMessages: Record<EventError, string> = {
  no_subjects: `None of its uids is known, and its binding has no query. Import or bind the people first. ${then}`,
  no_binding: `No binding of this source and type is in force and enabled for this key, or its category is disabled. Create one with POST /v1/event-bindings, and have it approved. ${then}`,
  no_template: `The binding has neither template nor scenario. Give it one. ${then}`,
  no_scenario: `The scenario of the binding is not active, or is now of another or a disabled category. Activate it, or change the binding. ${then}`,
  missing_variable: 'data lacks required variables; details lists them. Send the event again with them.',
  content_violation:
    'No channel can carry the content with these data; details lists why. Change the data or the template. Then send the ' +
    'event again.',
  too_many_runs: `The unit has too many open runs. Wait until conversations end, or cancel some. ${then}`,
  too_many_people: `The scenario would start for more people in 24 hours than its category allows without a person's approval. Have its version approved by a person. ${then}`,
  internal: 'Carillon failed, and has logged why. Send the event again later, or replay it.',
}
