import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import { distinct, Reference, Stage, SubjectRole } from '../common.ts'
import { type AudienceDimension, audienceDimensions, type HistoryKind } from '../enums.ts'
import { limits } from '../limits.ts'

const value = z.string().min(1).max(200)

/** A dimension of an audience in a request; repeated values are dropped, and an empty list counts as omitted. */
function dimensionOf<Item extends z.ZodType>(item: Item, most: number = limits.audienceValues) {
  return z
    .array(item)
    .max(most)
    .transform((items) => (items.length > 0 ? distinct(items) : undefined))
    .optional()
}

const Registered = z
  .strictObject({
    kind: z.literal('registered').describe('Selects people with a place.'),
    patternInstanceId: Reference.describe('The id of the pattern they registered for.'),
  })
  .meta({
    id: 'RegisteredHistory',
    description: 'Subjects who have a place in a pattern of the unit. Other patterns match no one.',
  })

const Received = z
  .strictObject({
    kind: z.literal('received').describe('Selects those whom a message reached.'),
    messageId: Reference.describe('The id of a message of the unit.'),
  })
  .meta({ id: 'ReceivedHistory', description: 'Subjects who received, or may have received, a message.' })

const Answered = z
  .strictObject({
    kind: z.literal('answered').describe('Selects those who answered a message.'),
    messageId: Reference.describe('The id of a message of the unit.'),
    optionId: z
      .string()
      .optional()
      .describe(
        'The option or button that is their last answer, as in `answers` of the message. Omitted: any.',
      ),
  })
  .meta({
    id: 'AnsweredHistory',
    description: 'Subjects whose last answer to a question of a message is this one.',
  })

const histories = { registered: Registered, received: Received, answered: Answered } satisfies Record<
  HistoryKind,
  z.ZodType
>

const HistoryEntry = z
  .discriminatedUnion('kind', [histories.registered, histories.received, histories.answered])
  .meta({ id: 'HistoryEntry', description: 'What a subject received or did before.' })

const about = {
  roles: 'By role in the institution.',
  stages: 'By how far the relation has come.',
  orgUnits: 'By organisational unit, as in the profile. Compared exactly.',
  classIds: 'By class, as in the profile. Compared exactly.',
  groups: `By the id of a group of the unit, at most ${limits.audienceGroups}. Unknown ones match no one.`,
  tags: 'By tag, such as `interest:music`. Compared exactly.',
  history: 'By what they received or did before.',
} satisfies Record<AudienceDimension, string>

const dimensions = {
  roles: dimensionOf(SubjectRole).describe(about.roles),
  stages: dimensionOf(Stage).describe(about.stages),
  orgUnits: dimensionOf(value).describe(about.orgUnits),
  classIds: dimensionOf(value).describe(about.classIds),
  groups: dimensionOf(value, limits.audienceGroups).describe(about.groups),
  tags: dimensionOf(value).describe(about.tags),
  history: dimensionOf(HistoryEntry).describe(about.history),
} satisfies Record<AudienceDimension, z.ZodType>

/** The same in responses, which return what is stored without checking it again. */
const storedDimensions = {
  roles: z.array(SubjectRole).optional().describe(about.roles),
  stages: z.array(Stage).optional().describe(about.stages),
  orgUnits: z.array(z.string()).optional().describe(about.orgUnits),
  classIds: z.array(z.string()).optional().describe(about.classIds),
  groups: z.array(z.string()).optional().describe('By the id of a group of the unit.'),
  tags: z.array(z.string()).optional().describe(about.tags),
  history: z.array(HistoryEntry).optional().describe(about.history),
} satisfies Record<AudienceDimension, z.ZodType>

const hasDimension = (query: { [name in AudienceDimension]?: unknown }) =>
  audienceDimensions.some((name) => query[name] !== undefined)

const rule =
  'A subject must match every dimension that is given, each by any of its values. An empty list counts as omitted, and ' +
  'repeated values are dropped.'
const listLimit = `Each list has at most ${limits.audienceValues.toLocaleString('en')} values, groups ${limits.audienceGroups}.`
const isQuery = z.literal('query').describe('Selects subjects by dimensions.')
const mayBeQuery = z.literal('query').optional().describe('May be given, as in an audience.')

const exclude = z
  .strictObject({ kind: mayBeQuery, ...dimensions })
  .refine(hasDimension, orBroken('no_dimension'))
  .meta({
    id: 'AudienceDimensions',
    description: `The subjects to leave out, by at least one dimension. ${rule} ${listLimit}`,
    examples: [{ tags: ['interest:music'] }],
  })
  .optional()
  .describe('The subjects to leave out of those selected.')

export const AllAudience = z
  .strictObject({ kind: z.literal('all').describe('Selects every subject.'), exclude })
  .meta({
    id: 'AllAudience',
    description:
      'All subjects of the installation, except those in `exclude`. A key needs the dimension `all`.',
  })

export const QueryAudience = z
  .strictObject({ kind: isQuery, ...dimensions, exclude })
  .refine(hasDimension, orBroken('no_dimension', { besides: 'exclude' }))
  .meta({
    id: 'QueryAudience',
    description: `Subjects by at least one dimension, except those in \`exclude\`. ${rule} ${listLimit}`,
    examples: [{ kind: 'query', roles: ['student'], stages: ['member'] }],
  })

export const GroupQuery = z
  .strictObject({ kind: mayBeQuery, ...dimensions, exclude })
  .refine(hasDimension, orBroken('no_dimension', { besides: 'exclude' }))
  .meta({
    id: 'GroupQuery',
    description:
      `The subjects of a dynamic group, by at least one dimension, except those in \`exclude\`. ${rule} Its \`groups\` ` +
      `are static groups of the unit. ${listLimit}`,
    examples: [{ roles: ['student'], stages: ['member'] }],
  })
export type GroupQuery = z.infer<typeof GroupQuery>

const IndividualAudience = z
  .strictObject({
    kind: z.literal('individual').describe('Names each subject.'),
    uids: z
      .array(value)
      .min(1)
      .max(limits.individualUids)
      .transform(distinct)
      .describe(
        `The uids of the subjects, 1 to ${limits.individualUids.toLocaleString('en')}, each counted once. Unknown ones ` +
          'are ignored and counted in `recipients.unknownUids`.',
      ),
  })
  .meta({
    id: 'IndividualAudience',
    description:
      'Subjects by uid. Only for producer keys with individual targeting. Each use is recorded in the audit log.',
  })

const storedExclude = z
  .object({ kind: mayBeQuery, ...storedDimensions })
  .meta({
    id: 'StoredAudienceDimensions',
    description: 'The subjects that an audience leaves out, by dimensions.',
  })
  .optional()
  .describe('The subjects that are left out.')

export const StoredAllAudience = z
  .object({ kind: z.literal('all').describe('Selects every subject.'), exclude: storedExclude })
  .meta({
    id: 'StoredAllAudience',
    description: 'All subjects of the installation, except those in `exclude`.',
  })

export const StoredQueryAudience = z
  .object({ kind: isQuery, ...storedDimensions, exclude: storedExclude })
  .meta({
    id: 'StoredQueryAudience',
    description: 'Subjects that match every dimension, each by any of its values, except those in `exclude`.',
  })

export const StoredGroupQuery = z
  .object({ kind: mayBeQuery, ...storedDimensions, exclude: storedExclude })
  .meta({
    id: 'StoredGroupQuery',
    description: 'Subjects that match every dimension, each by any of its values, except those in `exclude`.',
  })

/**
 * An individual audience in responses. None of its uids are left after the retention period; `erased subject` stands for
 * an erased one.
 */
const StoredIndividualAudience = z
  .object({
    kind: z.literal('individual').describe('Names each subject.'),
    count: z.int().min(0).describe('The number of uids.'),
    uids: z
      .array(z.string())
      .optional()
      .describe(
        'The uids; `erased subject` in place of an erased one. Only for approvers of the unit, and for authors whose ' +
          'key has individual targeting. Empty once the retention period has passed.',
      ),
  })
  .meta({ id: 'StoredIndividualAudience', description: 'Subjects by uid. Only some callers see the uids.' })

export const StoredAudience = z
  .discriminatedUnion('kind', [StoredAllAudience, StoredQueryAudience, StoredIndividualAudience])
  .meta({ id: 'StoredAudience', description: 'Whom a message is for.' })

/** The audience of a message (docs/api/messages.md). */
export const Audience = z.discriminatedUnion('kind', [AllAudience, QueryAudience, IndividualAudience]).meta({
  id: 'Audience',
  description: 'Whom a message is for: all subjects, those that match a query, or individuals.',
})
export type Audience = z.infer<typeof Audience>
