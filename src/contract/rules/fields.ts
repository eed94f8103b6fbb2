/** Rules about the fields of a body beside each other: which belong together, and which may not be there. */
export const fieldRules = {
  unknown_field: ({ fields, others }: { fields: string[]; others?: number }) =>
    `must not have the unknown ${nounFor('field', { fields, others })} ${named({ fields, others })}`,
  unknown_parameter: ({
    fields,
    others,
    values,
  }: {
    fields: string[]
    others?: number
    values: string[]
  }) => {
    const hint = values.length > 0 ? `this operation knows ${values.join(', ')}` : 'this operation has none'
    const noun = nounFor('parameter', { fields, others })
    return `must not have the unknown ${noun} ${named({ fields, others })}; ${hint}`
  },
  unexpected: (facts: { without: Needed } | { type: string } | { reason: Unexpected }) => {
    if ('without' in facts) return `must be omitted without ${facts.without}`
    if ('type' in facts) return `must be omitted for a schedule of type ${facts.type}`
    return unexpected[facts.reason]
  },
  not_exactly_one: ({ fields }: { fields: string[] }) =>
    `must have exactly one of ${listOf(fields, fields.includes('templateId') ? 'or' : 'and')}`,
  not_both: ({ fields }: { fields: [string, string] }) => `must not have both ${listOf(fields, 'and')}`,
  nothing_given: ({ of }: { of: EmptyBody }) => emptyBody[of],
  added_and_removed: ({ of }: { of: 'role' | 'uid' }) =>
    of === 'role' ? 'must not add and remove the same role' : 'must not contain a uid that add contains',
  mismatch: (facts: { of: 'scope' } | { of: 'category' | 'unit'; value: string }) => {
    if (facts.of === 'scope') return 'must be the same in the body as in ?scope='
    if (facts.of === 'category') return `must be the category of the scenario, ${facts.value}`
    return `must be the unit of the scenario, ${facts.value}, which stays; omit it`
  },
  repeated: (facts: { of: 'channel' | 'column' } | { of: 'id' | 'variable' | 'query'; value: string }) => {
    switch (facts.of) {
      case 'channel':
        return 'must not repeat a channel'
      case 'column':
        return 'must be one column, not several'
      case 'id':
        return `must be used once; ${facts.value} is used twice`
      case 'variable':
        return `must be listed once; ${facts.value} is listed twice`
      case 'query':
        return `must not be in the query of url as well; remove ${facts.value} from one of them`
    }
  },
  taken: (facts: { of: Duplicate } | { of: 'topic'; id: string }) =>
    facts.of === 'topic'
      ? `must differ from the names of the unit's other topics; ${facts.id} has it. Use that topic, or rename it`
      : duplicate[facts.of],
  reserved: ({ values, of }: { values: readonly string[]; of: Reserved }) =>
    reserved[of](values.join(', '), values[0]!),
}

type Names = { fields: string[]; others?: number | undefined }

function nounFor(one: string, { fields, others = 0 }: Names): string {
  return fields.length + others === 1 ? one : `${one}s`
}

function named({ fields, others = 0 }: Names): string {
  return `${fields.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}

function listOf(fields: string[], joint: 'and' | 'or'): string {
  return `${fields.slice(0, -1).join(', ')} ${joint} ${fields.at(-1)}`
}

/** A field without which another means nothing. */
export type Needed = 'remindAt' | 'remindAfterSeconds' | 'templateId'

/** Why a field must be omitted. */
export type Unexpected = keyof typeof unexpected
const unexpected = {
  survey: 'must be omitted: a survey has no places',
  unlimited: 'must be omitted: the pattern has no end of places, and there are never fewer than before',
  mandatory:
    'must be omitted: a message of a mandatory category has no topic from which people could unsubscribe',
  template: 'must be null or omitted with a templateId',
  template_subject: 'must be omitted without messages: a template has its own subject',
  no_scenario: 'must be omitted without a scenarioId',
  makes_messages: 'must be omitted: this schedule makes messages; create another one',
  starts_scenario: 'must be omitted: this schedule starts a scenario; create another one',
  static_group: 'must be omitted: only a dynamic group has one',
  dynamic_group: 'must be omitted: only a static group has one',
  json_body: 'must be omitted with a JSON body, which has add and remove',
  lookup: 'must be absent: a body with `subject` is that of a Lookup',
  not_activated: 'must be omitted without the state active: who asks for an activation names the organisers',
  no_pattern: 'must be omitted: only the scenario of a pattern has organisers',
  change_of_state:
    'must not come with a change of state: it is part of the content, and approved with it. Put it with the whole content ' +
    'and have that version activated; then retire the scenario with the state alone. Each run says the farewell of its own version',
}

/** Of what a body must name something. */
export type EmptyBody = keyof typeof emptyBody
const emptyBody = {
  fields: 'must change at least one field',
  deadline_or_capacity: 'must have a deadline, a capacity, or both',
  content_or_state: 'must have the whole content, a state, or both',
  tags: 'must add or remove a tag',
  roles: 'must add or remove at least one role',
  members: 'must have add or remove',
  address_or_message: 'must have address or messageId',
}

/** What another one has. */
export type Duplicate = keyof typeof duplicate
const duplicate = {
  unit: 'must not be the name of another unit',
  person: 'must not be the address of another person; edit that person',
  category: 'must not be the id of another category; edit that one, or choose another id',
  origin: 'must not be registered already',
  source: 'must not be a source that another unit has a key for, or binds',
  signed_source: 'must not be a source whose events the signing keys of another unit sign',
}

/** What has a meaning of its own: in JSON, in a scenario, or of the values that Carillon fills in. */
export type Reserved = keyof typeof reserved
const reserved = {
  key: (names: string) => `must not be ${names}, which JSON readers do not keep as a key; choose another`,
  node: (names: string) => `must be another one: ${names} is a node of every scenario of this type`,
  skip: (names: string) => `must be another one: ${names} skips the question`,
  exit_keyword: (names: string) => `must not be ${names}: who types that leaves a conversation`,
  settings_keyword: (names: string) => `must not be ${names}: who types that is shown their settings`,
  variables: (names: string) => `must not set ${names}: Carillon fills them`,
  variable: (names: string) => `must not name ${names}: Carillon sets it`,
  sent_variable: (_: string, name: string) =>
    `must not be ${name}, which could be read as the ${name.toLowerCase()} that Carillon adds; rename the variable`,
  query: (_: string, name: string) =>
    `must have nothing that could be read as ${name}, also not in upper case, as ${name}[] or behind a semicolon: ` +
    'the name is one of those that Carillon fills; rename or remove that part of the query',
}
