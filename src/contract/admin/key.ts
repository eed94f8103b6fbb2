import { z } from 'zod'
import { Id, Instant, PageQuery, pageOf, Reference } from '../common.ts'
import { audienceDimensions } from '../enums.ts'

/** The audience dimensions that a key may be limited to; `all` is a dimension of its own. */
export const AudienceDimension = z.enum(['all', ...audienceDimensions])

const rights = {
  categories: z.array(Reference).nullable().meta({ description: 'Only these; null: all.' }),
  dimensions: z.array(AudienceDimension).nullable().meta({ description: 'Only these; null: all.' }),
  individualTargeting: z.boolean().meta({ description: 'May name people one by one.' }),
}

/** A producer key, without its secret. */
export const ProducerKey = z
  .object({
    id: z.string().meta({ description: 'The part between hub_ and the second _.' }),
    unitId: Id,
    name: z.string(),
    ...rights,
    dimensions: z.array(z.string()).nullable(),
    createdAt: Instant,
    revokedAt: Instant.nullable(),
  })
  .meta({ id: 'ProducerKey' })
export type ProducerKey = z.infer<typeof ProducerKey>

/** Keys, newest first. */
export const ProducerKeyPage = pageOf(ProducerKey).meta({ id: 'ProducerKeyPage' })

/** Keys of one unit, or of all. */
export const KeyListQuery = PageQuery.extend({ unitId: Id.optional() })
export type KeyListQuery = z.infer<typeof KeyListQuery>

/** A new key. What is left out is not restricted; naming people must be allowed. */
export const CreateKey = z
  .strictObject({
    unitId: Id,
    name: z.string().trim().min(1).max(200),
    categories: rights.categories.default(null),
    dimensions: rights.dimensions.default(null),
    individualTargeting: rights.individualTargeting.default(false),
  })
  .meta({ id: 'CreateKey' })
export type CreateKey = z.infer<typeof CreateKey>

/** `key` goes into the Authorization header; it is shown this once, for only its hash is kept. */
export const IssuedKey = z.object({ id: z.string(), key: z.string() }).meta({ id: 'IssuedKey' })

/** A key in a path; what is none is answered like an unknown one. */
export const KeyParams = z.object({ id: z.string().regex(/^[0-9A-Za-z]{1,64}$/) })
