import { z } from 'zod'
import { Reference } from '../common.ts'
import { type AudienceDimension, audienceDimensions, stages, subjectRoles } from '../enums.ts'

const values = z.array(z.string().min(1).max(200)).min(1)

/** People by what already happened to them: a message was sent to them, they answered one, they registered. */
export const HistoryEntry = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('registered'), patternInstanceId: Reference }),
    z.strictObject({ kind: z.literal('received'), messageId: Reference }),
    z.strictObject({ kind: z.literal('answered'), messageId: Reference, optionId: z.string().optional() }),
  ])
  .meta({ id: 'HistoryEntry' })

const dimensions = {
  roles: z.array(z.enum(subjectRoles)).min(1).optional(),
  stages: z.array(z.enum(stages)).min(1).optional(),
  orgUnits: values.optional(),
  classIds: values.optional(),
  groups: values.optional(),
  tags: values.optional(),
  history: z.array(HistoryEntry).min(1).optional(),
} satisfies Record<AudienceDimension, z.ZodType>

const namesOne = (query: { [name in AudienceDimension]?: unknown }) =>
  audienceDimensions.some((name) => query[name] !== undefined)

/** The query whose people are taken away; it may say that it is one. */
const exclude = z
  .strictObject({ kind: z.literal('query').optional(), ...dimensions })
  .refine(namesOne, 'name at least one dimension')
  .meta({ id: 'AudienceDimensions', examples: [{ tags: ['interest:music'] }] })
  .optional()

/** Everybody whom the service knows, less `exclude`. */
export const AllAudience = z.strictObject({ kind: z.literal('all'), exclude }).meta({ id: 'AllAudience' })

/** People with these properties, less `exclude`. Dimensions AND together, values inside one OR. */
export const QueryAudience = z
  .strictObject({ kind: z.literal('query'), ...dimensions, exclude })
  .refine(namesOne, 'name at least one dimension besides exclude')
  .meta({ id: 'QueryAudience', examples: [{ kind: 'query', roles: ['student'], stages: ['member'] }] })

/** What a dynamic group stands for: a query audience, which may say that it is one. */
export const GroupQuery = z
  .strictObject({ kind: z.literal('query').optional(), ...dimensions, exclude })
  .refine(namesOne, 'name at least one dimension besides exclude')
  .meta({ id: 'GroupQuery', examples: [{ roles: ['student'], stages: ['member'] }] })
export type GroupQuery = z.infer<typeof GroupQuery>

/** People by name. Only for credentials with individualTargeting; every use writes an audit record. */
export const IndividualAudience = z
  .strictObject({ kind: z.literal('individual'), uids: values })
  .meta({ id: 'IndividualAudience' })

/** The same in answers: nobody is named any more where the retention time is over, or they were erased. */
const StoredIndividualAudience = z
  .object({ kind: z.literal('individual'), uids: z.array(z.string()) })
  .meta({ id: 'StoredIndividualAudience' })

/** Whom a message was for, in answers. */
export const StoredAudience = z
  .discriminatedUnion('kind', [AllAudience, QueryAudience, StoredIndividualAudience])
  .meta({ id: 'StoredAudience' })

/** The people a message is for (docs/api/messages.md). */
export const Audience = z
  .discriminatedUnion('kind', [AllAudience, QueryAudience, IndividualAudience])
  .meta({ id: 'Audience' })
export type Audience = z.infer<typeof Audience>
