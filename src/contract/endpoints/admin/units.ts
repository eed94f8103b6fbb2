import {
  ChangeRoles,
  CreateUnit,
  EditUnit,
  UnitMember,
  UnitMemberPage,
  UnitRecord,
  UnitRecordPage,
} from '../../admin/unit.ts'
import { IdParams, PageQuery } from '../../common.ts'
import type { Endpoint } from '../../endpoint.ts'
import { exampleId } from '../examples.ts'
import { forAdministrators, page } from './common.ts'
import { exampleMember, exampleUnitRecord } from './examples.ts'

/** Units, and who works in them. */
export const adminUnitEndpoints = {
  adminListUnits: {
    ...forAdministrators,
    method: 'GET',
    path: '/v1/admin/units',
    summary: 'All units',
    description: 'By name.',
    query: PageQuery,
    answers: { 200: page(UnitRecordPage, exampleUnitRecord) },
    errors: [],
  },
  adminCreateUnit: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/units',
    summary: 'Make a unit',
    description: 'No two units have one name.',
    body: CreateUnit,
    bodyExample: { name: exampleUnitRecord.name, kind: 'ordinary', timeZone: 'Asia/Taipei' },
    answers: { 201: { description: 'The unit.', schema: UnitRecord, example: exampleUnitRecord } },
    errors: [],
  },
  adminEditUnit: {
    ...forAdministrators,
    method: 'PATCH',
    path: '/v1/admin/units/{id}',
    summary: 'Change a unit',
    description: 'Its name, its kind, its time zone.',
    params: IdParams,
    body: EditUnit,
    bodyExample: { timeZone: 'Asia/Taipei' },
    answers: { 200: { description: 'The unit.', schema: UnitRecord, example: exampleUnitRecord } },
    errors: [],
  },
  adminListMembers: {
    ...forAdministrators,
    method: 'GET',
    path: '/v1/admin/units/{id}/members',
    summary: 'Who works in a unit',
    description: 'Everybody at once, by name, with their roles.',
    params: IdParams,
    answers: { 200: page(UnitMemberPage, exampleMember) },
    errors: [],
  },
  adminChangeRoles: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/units/{id}/members',
    summary: 'Give roles, and take them away',
    description: 'At once, also for sessions that are open. Editors write, approvers decide.',
    params: IdParams,
    body: ChangeRoles,
    bodyExample: { personId: exampleId, add: ['approver'], remove: ['editor'] },
    answers: {
      200: {
        description: 'The person, with the roles they have now.',
        schema: UnitMember,
        example: exampleMember,
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
