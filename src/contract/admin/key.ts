import { z } from 'zod'
import { distinct, Id, Instant, PageQuery, pageOf, Reference } from '../common.ts'
import { audienceDimensions } from '../enums.ts'
import { limits } from '../limits.ts'

/** The audience dimensions that a key can be limited to, plus `all` for audiences of kind `all`. */
export const AudienceDimension = z.enum(['all', ...audienceDimensions])

const rights = {
  categories: z.array(Reference).nullable().meta({ description: 'The key may use only these; null: all.' }),
  dimensions: z
    .array(AudienceDimension)
    .nullable()
    .meta({ description: 'The key may use only these; null: all.' }),
  individualTargeting: z.boolean().meta({
    description: 'Whether the key may use individual audiences, and small audiences of its own groups.',
  }),
  groupWriting: z.boolean().meta({
    description: 'Whether the key may create groups, and change them and their members.',
  }),
}

/** A producer key, without its secret. */
export const ProducerKey = z
  .object({
    id: z.string().meta({ description: 'The part of the key between hub_ and the second underscore.' }),
    unitId: Id,
    name: z.string(),
    ...rights,
    dimensions: z.array(z.string()).nullable(),
    createdAt: Instant,
    revokedAt: Instant.nullable(),
  })
  .meta({ id: 'ProducerKey' })
export type ProducerKey = z.infer<typeof ProducerKey>

/** One page of keys, newest first. */
export const ProducerKeyPage = pageOf(ProducerKey).meta({ id: 'ProducerKeyPage' })

/** Keys of one unit, or of all units. */
export const KeyListQuery = PageQuery.extend({ unitId: Id.optional() })
export type KeyListQuery = z.infer<typeof KeyListQuery>

/** The categories of a new key. A key that may use none could do nothing. */
export const KeyCategories = z
  .array(Reference)
  .min(1, 'must not be empty; omit it to allow all categories')
  .max(limits.categoriesPerKey)
  .overwrite(distinct)

/**
 * A new key. Omitted restrictions mean none, but individual targeting and writing groups must be enabled explicitly.
 */
export const CreateKey = z
  .strictObject({
    unitId: Id,
    name: z.string().trim().min(1).max(200),
    categories: KeyCategories.nullable().default(null).meta({
      description: 'The key may use only these; null: all.',
    }),
    dimensions: z
      .array(AudienceDimension)
      .max(AudienceDimension.options.length)
      .overwrite(distinct)
      .nullable()
      .default(null)
      .meta({ description: 'The key may use only these; null: all.' }),
    individualTargeting: rights.individualTargeting.default(false),
    groupWriting: rights.groupWriting.default(false),
  })
  .meta({ id: 'CreateKey' })
export type CreateKey = z.infer<typeof CreateKey>

/** `key` goes into the Authorization header. It is returned only once: only its hash is stored. */
export const IssuedKey = z.object({ id: z.string(), key: z.string() }).meta({ id: 'IssuedKey' })

/** A key in a path. A malformed id is treated as an unknown one. */
export const KeyParams = z.object({ id: z.string().regex(/^[0-9A-Za-z]{1,64}$/) })
