import type { z } from 'zod'
import { IdParams, PageQuery } from '../common.ts'
import type { Answer, Endpoint } from '../endpoint.ts'
import { exampleId, exampleUnitId } from '../example-ids.ts'
import { Category, CategoryPage } from '../templates/category.ts'
import { exampleCategory } from '../templates/examples.ts'
import { CategoryParams, CreateCategory, EditCategory } from './category.ts'
import { exampleAccount, exampleKey, exampleMember, examplePerson, exampleUnitRecord } from './examples.ts'
import { CreateKey, IssuedKey, KeyListQuery, KeyParams, ProducerKey, ProducerKeyPage } from './key.ts'
import { CreatePerson, EditPerson, Person, PersonListQuery, PersonPage } from './person.ts'
import { QuotaAccount, QuotaAccountPage, QuotaQuery, SetQuota } from './quota.ts'
import {
  ChangeRoles,
  CreateUnit,
  EditUnit,
  UnitMember,
  UnitMemberPage,
  UnitRecord,
  UnitRecordPage,
} from './unit.ts'

/** What all of /v1/admin has in common: only for persons who administer the installation, whatever their units. */
export const forAdministrators = {
  tag: 'Administration',
  doors: ['session'],
  systemAdmin: true,
  unit: 'none',
} as const

/** The answer of a list, shown with one item. */
export function page<Schema extends z.ZodType>(schema: Schema, item: unknown) {
  return { description: 'A page.', schema, example: { items: [item], nextCursor: null } } satisfies Answer
}

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

/** Those who sign in to the console. */
export const adminPersonEndpoints = {
  adminListPersons: {
    ...forAdministrators,
    method: 'GET',
    path: '/v1/admin/persons',
    summary: 'Persons who can sign in',
    description: 'Newest first, or the one with an address.',
    query: PersonListQuery,
    answers: { 200: page(PersonPage, examplePerson) },
    errors: [],
  },
  adminCreatePerson: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/persons',
    summary: 'Write a person down',
    description: 'They may sign in from then on; what they may do, their roles in units say.',
    body: CreatePerson,
    bodyExample: { email: examplePerson.email, name: examplePerson.name },
    answers: { 201: { description: 'The person.', schema: Person, example: examplePerson } },
    errors: [],
  },
  adminEditPerson: {
    ...forAdministrators,
    method: 'PATCH',
    path: '/v1/admin/persons/{id}',
    summary: 'Change a person',
    description: 'The last system administrator stays one.',
    params: IdParams,
    body: EditPerson,
    bodyExample: { systemAdmin: true },
    answers: {
      200: { description: 'The person.', schema: Person, example: { ...examplePerson, systemAdmin: true } },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>

/** Producer keys. */
export const adminKeyEndpoints = {
  adminListKeys: {
    ...forAdministrators,
    method: 'GET',
    path: '/v1/admin/keys',
    summary: 'Producer keys',
    description: 'Newest first, of one unit or of all; never their secrets.',
    query: KeyListQuery,
    answers: { 200: page(ProducerKeyPage, exampleKey) },
    errors: [],
  },
  adminCreateKey: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/keys',
    summary: 'Issue a producer key',
    description: 'The key is shown in this answer and never again: only its hash is kept.',
    body: CreateKey,
    bodyExample: {
      unitId: exampleUnitId,
      name: exampleKey.name,
      categories: ['campus-events'],
      dimensions: ['roles'],
    },
    answers: {
      201: {
        description: 'The key.',
        schema: IssuedKey,
        example: { id: exampleKey.id, key: `hub_${exampleKey.id}_the-secret-part` },
      },
    },
    errors: ['not_found'],
  },
  adminRevokeKey: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/keys/{id}/revoke',
    summary: 'End a producer key',
    description: 'At once and for good. What it has approved or submitted goes on.',
    params: KeyParams,
    answers: {
      200: {
        description: 'The key.',
        schema: ProducerKey,
        example: { ...exampleKey, revokedAt: '2026-11-21T02:00:00.000Z' },
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>

const exampleCreateCategory: CreateCategory = {
  id: 'library-news',
  name: { 'zh-TW': '圖書館消息', en: 'Library news' },
  layer: 'service',
  channelPlan: exampleCategory.channelPlan,
  quietHours: { from: '22:00', to: '07:00' },
  frequencyCap: { n: 3, days: 7 },
}

/** Categories, and how much may be sent. */
export const adminCategoryEndpoints = {
  adminListCategories: {
    ...forAdministrators,
    method: 'GET',
    path: '/v1/admin/categories',
    summary: 'All categories',
    description: 'By id, also those that are switched off.',
    query: PageQuery,
    answers: { 200: page(CategoryPage, exampleCategory) },
    errors: [],
  },
  adminCreateCategory: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/categories',
    summary: 'Make a category',
    description: 'For all units. Its id is what producers write, and stays.',
    body: CreateCategory,
    bodyExample: exampleCreateCategory,
    answers: {
      201: {
        description: 'The category.',
        schema: Category,
        example: {
          ...exampleCategory,
          ...exampleCreateCategory,
          approval_rule: 'manual',
          autoMaxRecipients: 0,
        },
      },
    },
    errors: [],
  },
  adminEditCategory: {
    ...forAdministrators,
    method: 'PATCH',
    path: '/v1/admin/categories/{id}',
    summary: 'Change a category, or switch it off or on',
    description:
      'It holds for drafts from then on; what was submitted keeps the channels it was frozen with.',
    params: CategoryParams,
    body: EditCategory,
    bodyExample: { enabled: false },
    answers: {
      200: {
        description: 'The category.',
        schema: Category,
        example: { ...exampleCategory, enabled: false },
      },
    },
    errors: [],
  },
  adminGetQuota: {
    ...forAdministrators,
    method: 'GET',
    path: '/v1/admin/quota',
    summary: 'How much may be sent, and is',
    description: 'One account for each channel, of a unit or of the pool, in a month.',
    query: QuotaQuery,
    answers: { 200: page(QuotaAccountPage, exampleAccount) },
    errors: ['not_found'],
  },
  adminSetQuota: {
    ...forAdministrators,
    method: 'PUT',
    path: '/v1/admin/quota',
    summary: 'Set a limit',
    description:
      'Of one month, or of this month and all to come. Not below what is used and reserved: 409 with the number.',
    body: SetQuota,
    bodyExample: { scope: exampleUnitId, channel: 'chat', limit: 180_000, month: '2026-12' },
    answers: { 200: { description: 'The account.', schema: QuotaAccount, example: exampleAccount } },
    errors: ['quota_exceeded', 'not_found'],
  },
} as const satisfies Record<string, Endpoint>
