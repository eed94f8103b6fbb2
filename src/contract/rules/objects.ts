/** Rules about what a value names or belongs to: people, categories, groups, scenarios, questions, addresses. */
export const objectRules = {
  unknown_reference: ({ to }: { to: Target }) => `must be ${targets[to]}`,
  not_a_static_group: ({ id }: { id?: string } = {}) =>
    id === undefined ? 'must be about a static group' : `must name static groups of the unit; ${id} is none`,
  inactive: (facts: { of: 'topic' | 'scenario' } | { of: 'category'; id: string }) => {
    if (facts.of === 'category') return `must be an enabled category; ${facts.id} is disabled`
    return facts.of === 'topic' ? 'must be an active topic' : 'must be a scenario that is not retired'
  },
  mandatory_category: ({ id }: { id?: string } = {}) =>
    id === undefined
      ? 'must not be false: the category is mandatory'
      : `must be a category that can be turned off; ${id} is mandatory`,
  wider_than_plan: ({ mode, values }: { mode: string; values: readonly string[] }) =>
    `may only narrow the category's plan: ${mode} of ${values.join(', ')}`,
  no_dimension: ({ besides }: { besides?: 'exclude' } = {}) =>
    `must use at least one dimension${besides ? ' besides exclude' : ''}`,
  unknown_dimension: ({ of, values }: { of: 'audience' | 'history'; values: readonly string[] }) =>
    `must ${of === 'audience' ? 'use known dimensions only' : 'be of known kinds'}; ${values.join(', ')} is none`,
  uid_not_named: 'must not have a uid that is not in subjectUids',
  query_with_scenario:
    'must be event_subjects with a scenarioId; for a query, bind a template whose button starts the scenario',
  no_own_address: ({ of }: { of: 'channel' | 'session' }) =>
    `must be ${
      of === 'channel'
        ? 'one on which an address is bound to your subject'
        : 'that of a person with a chat address they have not blocked'
    }; ask a system administrator to check your subjectUid`,
  no_question: 'must have a question: a survey asks something',
  no_attendance: ({ value }: { value: string }) => `must have an option ${value}: who chooses it comes`,
  not_skippable: 'must be true or omitted: it decides who attends, so it cannot be skipped',
  not_registered: ({ value }: { value: string }) =>
    `must lead to a registered endpoint; ask a system administrator to register ${value}`,
  not_trackable: 'must be direct: tracked links need PUBLIC_URL and SECRETS_KEY, which are not both set',
  last_administrator: 'must be true for the last system administrator; appoint another one first',
}

/** What a reference must lead to. */
export type Target = keyof typeof targets
const targets = {
  person: 'an existing person',
  member: 'a member of the unit',
  category: 'an existing category',
  unit: 'an existing unit',
  enabled_category: 'an enabled category',
  listed_category: 'a category that GET lists',
  listed_topic: 'a topic that GET lists',
  topic: 'a topic of the unit',
  template: 'a template of the unit',
  scenario: 'a scenario of the unit',
  static_group: 'a static group of the unit',
  key: 'an active key of the unit',
  signing_key: 'the id of a configured signing key',
  endpoint_key: 'at an endpoint whose signing key is configured',
}
