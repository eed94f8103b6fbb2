/** Who acts, as ids of actors are written, and what each is. A test finds those that the code writes. */
export const actorKinds = {
  'person:<id>': 'a person with a session',
  'key:<id>': 'a producer key',
  'event:<source>': 'a signed event',
  'schedule:<id>': 'a schedule',
  'scenario:<id>': 'a scenario, which changes tags and groups, and whose Lookups send uids',
  'recipient:<subject id>': 'a recipient',
  'system:auto': 'the automatic check',
  'system:run': 'Carillon, when something is due',
  'system:mail': 'the mail server',
  'system:avatar': 'the conversational assistant',
  'operator:cli': 'an operator on the command line',
  'operator:temporal': 'an operator in the Temporal UI',
} as const

/** In the words of descriptions. */
export const actorIds = `${Object.entries(actorKinds)
  .map(([id, what]) => `\`${id}\`: ${what}`)
  .join('; ')}.`
