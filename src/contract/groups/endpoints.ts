import { IdParams, PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { exampleCreateGroup, exampleDynamicGroup, exampleGroup } from './examples.ts'
import {
  ChangeMembers,
  CreateGroup,
  EditGroup,
  Group,
  GroupListQuery,
  GroupPage,
  MemberPage,
  MembersChanged,
} from './group.ts'

const common = { tag: 'Groups', doors: ['producer', 'session'] } as const
const one = { ...common, path: '/v1/groups/{id}', unit: 'object', params: IdParams } as const
const members = { ...one, path: '/v1/groups/{id}/members' } as const

/** A unit's groups and who is in them. */
export const groupEndpoints = {
  listGroups: {
    ...common,
    method: 'GET',
    path: '/v1/groups',
    summary: 'Groups of a unit',
    description: 'Newest first.',
    unit: 'query',
    query: GroupListQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: GroupPage,
        example: { items: [exampleDynamicGroup], nextCursor: null },
      },
    },
    errors: [],
  },
  createGroup: {
    ...common,
    method: 'POST',
    path: '/v1/groups',
    summary: 'Create a group',
    description:
      'Static: a list, with the legal basis of keeping it. Dynamic: whoever the query names at the moment of sending. ' +
      'An audience names it in groups.',
    roles: ['editor'],
    unit: 'body',
    body: CreateGroup,
    bodyExample: exampleCreateGroup,
    answers: { 201: { description: 'The group.', schema: Group, example: exampleGroup } },
    errors: ['not_found', 'audience_dimension_not_allowed'],
  },
  getGroup: {
    ...one,
    method: 'GET',
    summary: 'One group',
    description: 'With the number of its members, where it is static.',
    answers: { 200: { description: 'The group.', schema: Group, example: exampleGroup } },
    errors: [],
  },
  editGroup: {
    ...one,
    method: 'PATCH',
    summary: 'Change a group',
    description:
      'A new parent must have everybody who is in the group, and must not stand below it (group_subset). ' +
      'A new query counts from the next dry-run on.',
    roles: ['editor'],
    body: EditGroup,
    bodyExample: { name: exampleGroup.name },
    answers: { 200: { description: 'The group.', schema: Group, example: exampleGroup } },
    errors: ['group_subset', 'audience_dimension_not_allowed'],
  },
  listMembers: {
    ...members,
    method: 'GET',
    summary: 'Members of a static group',
    description: 'By uid, in an order that stays. A dynamic group has no list: a dry-run counts it.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: MemberPage,
        example: { items: [{ uid: 'b11204001', addedAt: exampleGroup.createdAt }], nextCursor: null },
      },
    },
    errors: [],
  },
  changeMembers: {
    ...members,
    method: 'POST',
    summary: 'Add and remove members',
    description:
      `Up to ${limits.membersPerCall.toLocaleString('en')} of each at once; all of it happens, or nothing. ` +
      'A member must be in the parent, and nobody can be removed who is in a group below (group_subset).',
    roles: ['editor'],
    body: ChangeMembers,
    bodyBytes: limits.membersBodyBytes,
    bodyExample: { add: ['b11204001', 'b11204002'], remove: ['b10904017'] },
    answers: {
      200: {
        description: 'How many were added and removed, and how many uids name nobody.',
        schema: MembersChanged,
        example: { added: 2, removed: 1, unknown: 0 },
      },
    },
    errors: ['group_subset'],
  },
} as const satisfies Record<string, Endpoint>
