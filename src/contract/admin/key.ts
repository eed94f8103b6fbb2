import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import { distinct, Id, Instant, PageQuery, pageOf, Reference } from '../common.ts'
import { audienceDimensions } from '../enums.ts'
import { limits } from '../limits.ts'

/** The audience dimensions that a key can be limited to, plus `all` for audiences of kind `all`. */
const AudienceDimension = z.enum(['all', ...audienceDimensions])

/** What a key is for, and when it was issued and revoked: of producer keys and signing keys. */
export const issued = {
  name: z.string().describe('What it is for, such as the name of a system.'),
  createdAt: Instant.describe('When it was issued, in UTC.'),
  revokedAt: Instant.nullable().describe('When it was revoked, in UTC; null: it is active.'),
}

/** What a new key is for. */
export const KeyName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .describe('What it is for, such as the name of a system: 1 to 200 characters.')

/** The id of a key in a path. A malformed one is treated as an unknown one. */
export const KeyId = z.string().regex(/^[0-9A-Za-z]{1,64}$/)

const rights = {
  categories: z.array(Reference).nullable().describe('The ids of the only categories it may use; null: all.'),
  individualTargeting: z
    .boolean()
    .describe(
      "Whether the key may use individual audiences, and small audiences of the unit's own lists, and receive who answered.",
    ),
  groupWriting: z.boolean().describe('Whether the key may create groups, and change them and their members.'),
  handoffReply: z
    .boolean()
    .describe('Whether the key may reply to people in handoffs, without anybody approving its words.'),
}

export const ProducerKey = z
  .object({
    id: z.string().describe('The part of the key between `hub_` and the second underscore.'),
    unitId: Id.describe('The unit that it acts for.'),
    name: issued.name,
    ...rights,
    dimensions: z
      .array(z.string())
      .nullable()
      .describe(
        'The only dimensions of an audience it may use, `all` for audiences of that kind; null: every one.',
      ),
    createdAt: issued.createdAt,
    revokedAt: issued.revokedAt,
  })
  .meta({ id: 'ProducerKey', description: 'A producer key, without its secret. Its rights cannot change.' })
export type ProducerKey = z.infer<typeof ProducerKey>

export const ProducerKeyPage = pageOf(ProducerKey).meta({
  id: 'ProducerKeyPage',
  description: 'One page of keys, newest first.',
})

/** Keys of one unit, or of all units. */
export const KeyListQuery = PageQuery.extend({
  unitId: Id.optional().describe('Only keys of this unit. Omitted: of all units.'),
})
export type KeyListQuery = z.infer<typeof KeyListQuery>

/** The categories of a new key. A key that may use none could do nothing. */
const KeyCategories = z
  .array(Reference)
  .min(1, orBroken('empty', { reason: 'all_categories' }))
  .max(limits.categoriesPerKey)
  .overwrite(distinct)

export const CreateKey = z
  .strictObject({
    unitId: Id.describe('The id of the unit that it acts for.'),
    name: KeyName,
    categories: KeyCategories.nullable()
      .default(null)
      .describe(
        `The ids of the only categories it may use, 1 to ${limits.categoriesPerKey}. null, the default: all.`,
      ),
    dimensions: z
      .array(AudienceDimension)
      .max(AudienceDimension.options.length)
      .overwrite(distinct)
      .nullable()
      .default(null)
      .describe(
        'The only dimensions of an audience it may use, `all` for audiences of that kind. null, the default: every one.',
      ),
    individualTargeting: rights.individualTargeting
      .default(false)
      .describe(
        "Whether it may use individual audiences, and small audiences of the unit's own lists, and receive who answered. " +
          'Default: false.',
      ),
    groupWriting: rights.groupWriting
      .default(false)
      .describe('Whether it may create groups, and change them and their members. Default: false.'),
    handoffReply: rights.handoffReply
      .default(false)
      .describe(
        'Whether it may reply to people in handoffs, without anybody approving its words. Default: false.',
      ),
  })
  .meta({ id: 'CreateKey', description: 'A new producer key and its rights, which cannot change later.' })
export type CreateKey = z.infer<typeof CreateKey>

export const IssuedKey = z
  .object({
    id: z.string().describe('The id of the key, for the list and to revoke it.'),
    key: z
      .string()
      .describe(
        'The whole key, `hub_<id>_<secret>`, for the Authorization header. Returned only now: store it safely.',
      ),
  })
  .meta({ id: 'IssuedKey', description: 'A new key. Only a hash of its secret is stored.' })

/** A producer key in a path. */
export const KeyParams = z.object({
  id: KeyId.describe('The id of the key: the part between `hub_` and the second underscore.'),
})
