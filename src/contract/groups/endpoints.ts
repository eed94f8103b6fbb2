import { IdParams, PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleId, exampleUnitId } from '../example-ids.ts'
import { limits } from '../limits.ts'
import {
  ChangeMembers,
  ChangeMembersQuery,
  CreateGroup,
  EditGroup,
  Group,
  GroupListQuery,
  GroupPage,
  MemberLine,
  MemberPage,
  MembersChanged,
} from './group.ts'

const createdAt = '2026-11-20T02:00:00.000Z'

const exampleCreateGroup: CreateGroup = {
  name: 'Scholarship holders',
  kind: 'static',
  legalBasis: 'public_task',
}

const exampleGroup: Group = {
  id: exampleId,
  unitId: exampleUnitId,
  name: 'Scholarship holders',
  kind: 'static',
  legalBasis: 'public_task',
  parentId: null,
  keptByKeyId: null,
  memberCount: 120,
  createdAt,
}

const exampleDynamicGroup: Group = {
  id: exampleId,
  unitId: exampleUnitId,
  name: 'Graduates who like music',
  kind: 'dynamic',
  legalBasis: null,
  parentId: null,
  keptByKeyId: null,
  query: { kind: 'query', stages: ['alumni'], tags: ['interest:music'] },
  createdAt,
}

const common = { tag: 'Groups', auth: ['producer', 'session'] } as const
const one = { ...common, path: '/v1/groups/{id}', unit: 'object', params: IdParams } as const
const members = { ...one, path: '/v1/groups/{id}/members' } as const

/** A unit's groups and their members. */
export const groupEndpoints = {
  listGroups: {
    ...common,
    method: 'GET',
    path: '/v1/groups',
    summary: 'List groups',
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
      'Static: a list of members, with the legal basis for keeping it. Dynamic: the subjects that match a query at ' +
      'the time of sending. Audiences refer to a group in the groups dimension.',
    roles: ['editor'],
    keyRight: 'groupWriting',
    unit: 'body',
    body: CreateGroup,
    bodyExample: exampleCreateGroup,
    answers: { 201: { description: 'The group.', schema: Group, example: exampleGroup } },
    errors: ['not_found', 'audience_dimension_not_allowed'],
  },
  getGroup: {
    ...one,
    method: 'GET',
    summary: 'Get a group',
    description: 'Includes the number of members if the group is static.',
    answers: { 200: { description: 'The group.', schema: Group, example: exampleGroup } },
    errors: [],
  },
  editGroup: {
    ...one,
    method: 'PATCH',
    summary: 'Update a group',
    description:
      'A new parent must contain all members of the group and must not be one of its descendants (group_subset). ' +
      'A new query applies from the next dry-run on, and returns approved messages that name the group to review. A ' +
      'key may only set or remove itself as keptByKeyId.',
    roles: ['editor'],
    keyRight: 'groupWriting',
    body: EditGroup,
    bodyExample: { name: exampleGroup.name },
    answers: { 200: { description: 'The group.', schema: Group, example: exampleGroup } },
    errors: ['group_subset', 'audience_dimension_not_allowed'],
  },
  listMembers: {
    ...members,
    method: 'GET',
    summary: 'List members of a static group',
    description:
      'By uid, in a stable order. Members of a dynamic group cannot be listed; a dry-run counts them.',
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
      `Up to ${limits.membersPerCall.toLocaleString('en')} of each at once, atomically. A longer list, of up to ` +
      `${limits.membersPerUpload.toLocaleString('en')} uids, is sent as application/x-ndjson with one uid per line, ` +
      'and is added, or with action=remove removed, as a whole. ' +
      'A new member must be in the parent group, and a member of a child group cannot be removed (group_subset). ' +
      'Approved messages that name the group return to review, unless the caller is the key in keptByKeyId.',
    roles: ['editor'],
    keyRight: 'groupWriting',
    values: limits.jsonValuesOfLists,
    body: ChangeMembers,
    lines: {
      line: MemberLine,
      description:
        `A list of uids, one per line, as a JSON string or as plain text; at most ${limits.membersPerUpload.toLocaleString('en')} ` +
        `lines and ${limits.uploadBytes / 1024 ** 2} MiB. Empty lines are ignored.`,
      example: 'b11204001\nb11204002\n',
    },
    query: ChangeMembersQuery,
    bodyExample: { add: ['b11204001', 'b11204002'], remove: ['b10904017'] },
    answers: {
      200: {
        description: 'The numbers of members added and removed, and of unknown uids.',
        schema: MembersChanged,
        example: { added: 2, removed: 1, unknownUids: 0 },
      },
    },
    errors: ['group_subset'],
  },
} as const satisfies Record<string, Endpoint>
