import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import {
  Id,
  Instant,
  isChange,
  mustChange,
  NameSearch,
  PageQuery,
  pageOf,
  Reference,
  UnitId,
} from '../common.ts'
import { groupKinds, legalBases, memberActions } from '../enums.ts'
import { limits } from '../limits.ts'
import { GroupQuery, StoredGroupQuery } from '../messages/audience.ts'

const LegalBasis = z.enum(legalBases).meta({
  id: 'LegalBasis',
  description: 'The legal basis for keeping a list of people: the six of GDPR art. 6 (1).',
})

const name = z.string().trim().min(1).max(200)
const kind = z
  .enum(groupKinds)
  .describe(
    '`static`: its members are listed. `dynamic`: they are the subjects that match its query at any moment.',
  )
const aboutBasis =
  'The legal basis for keeping the list, one of the six of GDPR art. 6 (1). A static group requires one.'
const parentId = Reference.nullable().describe(
  'The id of a static group of the unit that must contain all members of this group; null: none.',
)

const keptByKeyId = z
  .string()
  .min(1)
  .max(200)
  .nullable()
  .describe(
    'The id of the producer key that keeps the group up to date: its changes alone return no approved message to ' +
      'review, unless more than a tenth of the recipients change. Approvers see it. null: none.',
  )

/** A named set of subjects: listed (static) or selected by a query (dynamic); see docs/api/groups.md. */
export const Group = z
  .object({
    id: Id.describe('The id of the group, for audiences.'),
    unitId: Id.describe('The unit that it belongs to.'),
    name: name.describe('Its name, for people of the unit.'),
    kind,
    legalBasis: LegalBasis.nullable().describe(aboutBasis),
    parentId: Id.nullable().describe('The static group that contains all its members; null: none.'),
    query: StoredGroupQuery.optional().describe(
      'The query that selects its members. Only for dynamic groups.',
    ),
    keptByKeyId,
    memberCount: z
      .int()
      .min(0)
      .optional()
      .describe('The number of members. Only for static groups, and not in lists.'),
    createdAt: Instant.describe('When it was created, in UTC.'),
  })
  .meta({
    id: 'Group',
    description: 'A named set of subjects: listed (static) or selected by a query (dynamic).',
  })
export type Group = z.infer<typeof Group>

export const CreateGroup = z
  .strictObject({
    unitId: UnitId,
    name: name.describe('Its name, 1 to 200 characters.'),
    kind,
    legalBasis: LegalBasis.optional().describe(aboutBasis),
    parentId: parentId.optional(),
    query: GroupQuery.optional().describe(
      'The query that selects its members. Only for dynamic groups, which require it.',
    ),
    keptByKeyId: keptByKeyId.optional(),
  })
  .meta({
    id: 'CreateGroup',
    description:
      'A new group. A static one requires legalBasis and has no query; a dynamic one requires query and has no parent.',
  })
export type CreateGroup = z.infer<typeof CreateGroup>

export const EditGroup = z
  .strictObject({
    name: name.optional().describe('Its name, 1 to 200 characters.'),
    legalBasis: LegalBasis.optional().describe(aboutBasis),
    parentId: parentId.optional(),
    query: GroupQuery.optional().describe('The query that selects its members. Only for dynamic groups.'),
    keptByKeyId: keptByKeyId.optional(),
  })
  .refine(isChange, mustChange)
  .meta({
    id: 'EditGroup',
    minProperties: 1,
    description:
      'Changes to a group, at least one. Omitted fields are unchanged. The kind of a group cannot change.',
    examples: [{ name: 'First years' }],
  })
export type EditGroup = z.infer<typeof EditGroup>

export const GroupPage = pageOf(Group).meta({
  id: 'GroupPage',
  description: "One page of a unit's groups, newest first.",
})
export type GroupPage = z.infer<typeof GroupPage>

/** Sessions of people in several units must pass unitId. */
export const GroupListQuery = PageQuery.extend({ unitId: UnitId, q: NameSearch })
export type GroupListQuery = z.infer<typeof GroupListQuery>

const uids = z.array(z.string().min(1).max(limits.uidLength)).max(limits.membersPerCall)

export const ChangeMembers = z
  .strictObject({
    add: uids
      .optional()
      .describe(`Uids of subjects to add, at most ${limits.membersPerCall.toLocaleString('en')}.`),
    remove: uids
      .optional()
      .describe(`Uids of subjects to remove, at most ${limits.membersPerCall.toLocaleString('en')}.`),
  })
  .refine(
    ({ add, remove }) => add !== undefined || remove !== undefined,
    orBroken('nothing_given', { of: 'members' }),
  )
  .meta({
    id: 'ChangeMembers',
    minProperties: 1,
    description:
      'Members to add, to remove, or both; no uid in both lists. Members who are there already are no error.',
    examples: [{ add: ['b11204001'] }],
  })
export type ChangeMembers = z.infer<typeof ChangeMembers>

/** What a list of uids, sent as lines, is for. */
export const MemberAction = z.enum(memberActions)
export type MemberAction = z.infer<typeof MemberAction>

/** One line of a list of members. */
export const MemberLine = z
  .string()
  .min(1)
  .max(limits.uidLength)
  .describe('The uid of one subject, as a JSON string or as plain text.')

/** Only with a list sent as lines. */
export const ChangeMembersQuery = z.object({
  action: MemberAction.optional().describe(
    'Only with application/x-ndjson: whether its uids are added (the default) or removed.',
  ),
})

export const MembersChanged = z
  .object({
    added: z.int().min(0).describe('New members. Those who were members already are not counted.'),
    removed: z.int().min(0).describe('Members who are no longer members.'),
    unknownUids: z
      .int()
      .min(0)
      .describe('Uids of no subject. In a list of lines one that repeats may count more than once.'),
  })
  .meta({ id: 'MembersChanged', description: 'What has changed, in numbers.' })
export type MembersChanged = z.infer<typeof MembersChanged>

export const MemberPage = pageOf(
  z.object({
    uid: z.string().describe('The uid of the subject.'),
    addedAt: Instant.describe('When they became a member, in UTC.'),
  }),
).meta({ id: 'MemberPage', description: "One page of a static group's members, by uid." })
export type MemberPage = z.infer<typeof MemberPage>
