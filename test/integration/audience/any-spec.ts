import fc from 'fast-check'
import type { AudienceSpec } from '../../../src/db/queries/audience/count.ts'
import type { Audience, AudienceDimensions, HistoryEntry } from '../../../src/domain/audience/audience.ts'
import { categories, type Population, scopes, words } from '../../fixtures/population.ts'

/** Any valid audience, plan and category in this population. */
export function anySpec(population: Population): fc.Arbitrary<AudienceSpec> {
  return fc.record({
    unitId: fc.constant(population.unitId),
    audience: anyAudience(population),
    plan: fc.record({
      mode: fc.constantFrom('first_available' as const, 'all' as const),
      channels: fc.shuffledSubarray(['chat', 'email'] as const, { minLength: 1 }),
    }),
    categoryId: fc.constantFrom(...categories),
    layer: fc.constantFrom('mandatory' as const, 'service' as const, 'promotional' as const),
    consentScope: fc.option(fc.constantFrom(...scopes)),
    topicId: fc.option(fc.constant(population.topicId)),
  })
}

function anyAudience(population: Population): fc.Arbitrary<Audience> {
  const exclude = fc.option(anyDimensions(population), { nil: undefined })
  const uids = [...population.people.map(({ uid }) => uid), 'nobody', 'nobody-else']
  return fc.oneof(
    exclude.map((exclude): Audience => ({ kind: 'all', exclude })),
    fc
      .tuple(anyDimensions(population), exclude)
      .map(([query, exclude]): Audience => ({ kind: 'query', ...query, exclude })),
    fc
      .array(fc.constantFrom(...uids), { minLength: 1, maxLength: 40 })
      .map((uids): Audience => ({ kind: 'individual', uids })),
  )
}

function anyDimensions({ messageIds, groups }: Population): fc.Arbitrary<AudienceDimensions> {
  const some = <Word>(of: readonly Word[]) => fc.subarray([...of], { minLength: 1 })
  const messageId = fc.constantFrom(...messageIds)
  const entry: fc.Arbitrary<HistoryEntry> = fc.oneof(
    messageId.map((messageId) => ({ kind: 'received' as const, messageId })),
    fc.constant({ kind: 'registered' as const, patternInstanceId: 'none yet' }),
    fc.record(
      {
        kind: fc.constant('answered' as const),
        messageId,
        optionId: fc.constantFrom('yes', 'no', 'perhaps'),
      },
      { requiredKeys: ['kind', 'messageId'] },
    ),
  )
  return fc
    .record(
      {
        roles: some(words.roles),
        stages: some(words.stages),
        orgUnits: some(words.orgUnits),
        classIds: some(words.classIds),
        tags: some(words.tags),
        groups: some([...groups.keys()]),
        history: fc.array(entry, { minLength: 1, maxLength: 3 }),
      },
      { requiredKeys: [] },
    )
    .filter((dimensions) => Object.keys(dimensions).length > 0)
}
