import { z } from 'zod'
import { Id, Instant, PageQuery, pageOf, Reference } from '../common.ts'
import { groupKinds, legalBases } from '../enums.ts'
import { limits } from '../limits.ts'
import { GroupQuery } from '../messages/audience.ts'

/** Why a unit may keep a list of these people: the six lawful bases of GDPR art. 6 (1). */
export const LegalBasis = z.enum(legalBases)

const name = z.string().trim().min(1).max(200)
const parentId = Reference.nullable().meta({
  description: 'A static group of the unit. Everybody in this group must be in it; null: none.',
})

/** People under one name: listed (static) or found by a query (dynamic); see docs/api/groups.md. */
export const Group = z
  .object({
    id: Id,
    unitId: Id,
    name,
    kind: z.enum(groupKinds),
    legalBasis: LegalBasis.nullable(),
    parentId: Id.nullable(),
    query: GroupQuery.optional().meta({ description: 'Of a dynamic group.' }),
    memberCount: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Of a static group, where one group is asked for.' }),
    createdAt: Instant,
  })
  .meta({ id: 'Group' })
export type Group = z.infer<typeof Group>

/** A new group. Static ones say their legal basis, dynamic ones their query. */
export const CreateGroup = z
  .strictObject({
    unitId: z
      .string()
      .optional()
      .meta({ description: 'Sessions with several units. Ignored for producer keys.' }),
    name,
    kind: z.enum(groupKinds),
    legalBasis: LegalBasis.optional(),
    parentId: parentId.optional(),
    query: GroupQuery.optional(),
  })
  .meta({ id: 'CreateGroup' })
export type CreateGroup = z.infer<typeof CreateGroup>

/** What is left out stays. A group stays static or dynamic. */
export const EditGroup = z
  .strictObject({
    name: name.optional(),
    legalBasis: LegalBasis.optional(),
    parentId: parentId.optional(),
    query: GroupQuery.optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, 'say what to change: name, legalBasis, parentId or query')
  .meta({ id: 'EditGroup', examples: [{ name: 'First years' }] })
export type EditGroup = z.infer<typeof EditGroup>

/** One page of a unit's groups, newest first. */
export const GroupPage = pageOf(Group).meta({ id: 'GroupPage' })
export type GroupPage = z.infer<typeof GroupPage>

/** A session with several units says which. */
export const GroupListQuery = PageQuery.extend({ unitId: z.string().min(1).optional() })
export type GroupListQuery = z.infer<typeof GroupListQuery>

const uids = z.array(z.string().min(1).max(200)).max(limits.membersPerCall)

/** People to add and people to take out, by uid. */
export const ChangeMembers = z
  .strictObject({ add: uids.optional(), remove: uids.optional() })
  .refine(({ add, remove }) => add !== undefined || remove !== undefined, 'say whom to add or to remove')
  .meta({ id: 'ChangeMembers', examples: [{ add: ['b11204001'] }] })
export type ChangeMembers = z.infer<typeof ChangeMembers>

/** Counts. Whoever was there already is not among `added`; `unknown` are uids that name nobody. */
export const MembersChanged = z
  .object({ added: z.int().min(0), removed: z.int().min(0), unknown: z.int().min(0) })
  .meta({ id: 'MembersChanged' })
export type MembersChanged = z.infer<typeof MembersChanged>

/** One page of a static group's members. */
export const MemberPage = pageOf(z.object({ uid: z.string(), addedAt: Instant })).meta({ id: 'MemberPage' })
export type MemberPage = z.infer<typeof MemberPage>
