import { z } from 'zod'
import { Id, Instant, isChange, mustChange, PageQuery, pageOf, Reference, UnitId } from '../common.ts'
import { groupKinds, legalBases, memberActions } from '../enums.ts'
import { limits } from '../limits.ts'
import { GroupQuery, StoredGroupQuery } from '../messages/audience.ts'

/** The legal basis for keeping a list of people: the six of GDPR art. 6 (1). */
export const LegalBasis = z.enum(legalBases)

const name = z.string().trim().min(1).max(200)
const parentId = Reference.nullable().meta({
  description: 'A static group of the unit that must contain all members of this group; null: none.',
})

const keptBy = z
  .string()
  .min(1)
  .max(200)
  .nullable()
  .meta({
    description:
      'The id of the producer key that keeps the group up to date: its changes alone return no approved message to ' +
      'review, unless more than a tenth of the recipients change. Approvers see it. null: none.',
  })

/** A named set of subjects: listed (static) or selected by a query (dynamic); see docs/api/groups.md. */
export const Group = z
  .object({
    id: Id,
    unitId: Id,
    name,
    kind: z.enum(groupKinds),
    legalBasis: LegalBasis.nullable(),
    parentId: Id.nullable(),
    query: StoredGroupQuery.optional().meta({ description: 'Only for dynamic groups.' }),
    keptBy,
    memberCount: z.int().min(0).optional().meta({ description: 'Only for static groups, and not in lists.' }),
    createdAt: Instant,
  })
  .meta({ id: 'Group' })
export type Group = z.infer<typeof Group>

/** A new group. Static groups require a legal basis, dynamic ones a query. */
export const CreateGroup = z
  .strictObject({
    unitId: UnitId,
    name,
    kind: z.enum(groupKinds),
    legalBasis: LegalBasis.optional(),
    parentId: parentId.optional(),
    query: GroupQuery.optional(),
    keptBy: keptBy.optional(),
  })
  .meta({ id: 'CreateGroup' })
export type CreateGroup = z.infer<typeof CreateGroup>

/** Omitted fields are unchanged. The kind of a group cannot change. */
export const EditGroup = z
  .strictObject({
    name: name.optional(),
    legalBasis: LegalBasis.optional(),
    parentId: parentId.optional(),
    query: GroupQuery.optional(),
    keptBy: keptBy.optional(),
  })
  .refine(isChange, mustChange)
  .meta({ id: 'EditGroup', examples: [{ name: 'First years' }] })
export type EditGroup = z.infer<typeof EditGroup>

/** One page of a unit's groups, newest first. */
export const GroupPage = pageOf(Group).meta({ id: 'GroupPage' })
export type GroupPage = z.infer<typeof GroupPage>

/** Sessions of people in several units must pass unitId. */
export const GroupListQuery = PageQuery.extend({ unitId: UnitId })
export type GroupListQuery = z.infer<typeof GroupListQuery>

const uids = z.array(z.string().min(1).max(limits.uidLength)).max(limits.membersPerCall)

/** Subjects to add and to remove, by uid. */
export const ChangeMembers = z
  .strictObject({ add: uids.optional(), remove: uids.optional() })
  .refine(({ add, remove }) => add !== undefined || remove !== undefined, 'must have add or remove')
  .meta({ id: 'ChangeMembers', examples: [{ add: ['b11204001'] }] })
export type ChangeMembers = z.infer<typeof ChangeMembers>

/** What a list of uids, sent as lines, is for. */
export const MemberAction = z.enum(memberActions)
export type MemberAction = z.infer<typeof MemberAction>

/** Only with a list sent as lines. */
export const ChangeMembersQuery = z.object({
  action: MemberAction.optional().meta({
    description: 'Only with application/x-ndjson: whether its uids are added (the default) or removed.',
  }),
})

/** Counts. `added` excludes existing members; `unknown` counts uids of no subject. */
export const MembersChanged = z
  .object({ added: z.int().min(0), removed: z.int().min(0), unknown: z.int().min(0) })
  .meta({ id: 'MembersChanged' })
export type MembersChanged = z.infer<typeof MembersChanged>

/** One page of a static group's members. */
export const MemberPage = pageOf(z.object({ uid: z.string(), addedAt: Instant })).meta({ id: 'MemberPage' })
export type MemberPage = z.infer<typeof MemberPage>
