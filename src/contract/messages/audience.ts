import { z } from 'zod'
import { distinct, Reference } from '../common.ts'
import { type AudienceDimension, audienceDimensions, stages, subjectRoles } from '../enums.ts'
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

/** Selects subjects who received, or may have received, a message, or answered one. `registered` matches none yet. */
export const HistoryEntry = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('registered'), patternInstanceId: Reference }),
    z.strictObject({ kind: z.literal('received'), messageId: Reference }),
    z.strictObject({ kind: z.literal('answered'), messageId: Reference, optionId: z.string().optional() }),
  ])
  .meta({ id: 'HistoryEntry' })

const dimensions = {
  roles: dimensionOf(z.enum(subjectRoles)),
  stages: dimensionOf(z.enum(stages)),
  orgUnits: dimensionOf(value),
  classIds: dimensionOf(value),
  groups: dimensionOf(value, limits.audienceGroups),
  tags: dimensionOf(value),
  history: dimensionOf(HistoryEntry),
} satisfies Record<AudienceDimension, z.ZodType>

/** The same in responses: what was stored before there were limits may be longer. */
const storedDimensions = {
  roles: z.array(z.enum(subjectRoles)).optional(),
  stages: z.array(z.enum(stages)).optional(),
  orgUnits: z.array(z.string()).optional(),
  classIds: z.array(z.string()).optional(),
  groups: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  history: z.array(HistoryEntry).optional(),
} satisfies Record<AudienceDimension, z.ZodType>

const hasDimension = (query: { [name in AudienceDimension]?: unknown }) =>
  audienceDimensions.some((name) => query[name] !== undefined)

/** The query whose matches are excluded; `kind` is optional. */
const exclude = z
  .strictObject({ kind: z.literal('query').optional(), ...dimensions })
  .refine(hasDimension, 'must use at least one dimension')
  .meta({ id: 'AudienceDimensions', examples: [{ tags: ['interest:music'] }] })
  .optional()

/** All subjects except `exclude`. */
export const AllAudience = z.strictObject({ kind: z.literal('all'), exclude }).meta({ id: 'AllAudience' })

/** Subjects that match every given dimension, each by any of its values, except `exclude`. An empty list is not given. */
export const QueryAudience = z
  .strictObject({ kind: z.literal('query'), ...dimensions, exclude })
  .refine(hasDimension, 'must use at least one dimension besides exclude')
  .meta({ id: 'QueryAudience', examples: [{ kind: 'query', roles: ['student'], stages: ['member'] }] })

/** The query of a dynamic group: a query audience whose `kind` is optional. */
export const GroupQuery = z
  .strictObject({ kind: z.literal('query').optional(), ...dimensions, exclude })
  .refine(hasDimension, 'must use at least one dimension besides exclude')
  .meta({ id: 'GroupQuery', examples: [{ roles: ['student'], stages: ['member'] }] })
export type GroupQuery = z.infer<typeof GroupQuery>

/** Subjects by uid. Requires a credential with individualTargeting; every use writes an audit record. */
export const IndividualAudience = z
  .strictObject({
    kind: z.literal('individual'),
    uids: z.array(value).min(1).max(limits.individualUids).transform(distinct),
  })
  .meta({ id: 'IndividualAudience' })

const storedExclude = z
  .object({ kind: z.literal('query').optional(), ...storedDimensions })
  .meta({ id: 'StoredAudienceDimensions' })
  .optional()

const StoredAllAudience = z
  .object({ kind: z.literal('all'), exclude: storedExclude })
  .meta({ id: 'StoredAllAudience' })

/** A query audience in responses. */
export const StoredQueryAudience = z
  .object({ kind: z.literal('query'), ...storedDimensions, exclude: storedExclude })
  .meta({ id: 'StoredQueryAudience' })

/** The query of a dynamic group in responses. */
export const StoredGroupQuery = z
  .object({ kind: z.literal('query').optional(), ...storedDimensions, exclude: storedExclude })
  .meta({ id: 'StoredGroupQuery' })

/**
 * An individual audience in responses: the number of uids, and the uids for callers who may see them. None are left
 * after the retention period; `erased subject` stands for an erased one.
 */
const StoredIndividualAudience = z
  .object({
    kind: z.literal('individual'),
    count: z.int().min(0).meta({ description: 'The number of uids.' }),
    uids: z.array(z.string()).optional().meta({
      description: 'Only for approvers of the unit, and for authors whose key has individual targeting.',
    }),
  })
  .meta({ id: 'StoredIndividualAudience' })

/** A message's audience in responses. */
export const StoredAudience = z
  .discriminatedUnion('kind', [StoredAllAudience, StoredQueryAudience, StoredIndividualAudience])
  .meta({ id: 'StoredAudience' })

/** The audience of a message (docs/api/messages.md). */
export const Audience = z
  .discriminatedUnion('kind', [AllAudience, QueryAudience, IndividualAudience])
  .meta({ id: 'Audience' })
export type Audience = z.infer<typeof Audience>
