import type { z } from 'zod'
import { Category, CategoryPage } from '../catalogue/category.ts'
import { exampleCategory } from '../catalogue/examples.ts'
import { IdParams, PageQuery } from '../common.ts'
import type { Answer, Endpoint } from '../endpoint.ts'
import { exampleId, exampleUnitId } from '../example-ids.ts'
import { CategoryParams, CreateCategory, EditCategory } from './category.ts'
import { CreateEventKey, EventKey, EventKeyPage, EventKeyParams, IssuedEventKey } from './event-key.ts'
import {
  exampleAccount,
  exampleEventKey,
  exampleKey,
  exampleMember,
  examplePerson,
  exampleUnitRecord,
} from './examples.ts'
import { CreateKey, IssuedKey, KeyListQuery, KeyParams, ProducerKey, ProducerKeyPage } from './key.ts'
import {
  CreateLookupEndpoint,
  DeletedLookupEndpoint,
  LookupEndpoint,
  LookupEndpointPage,
} from './lookup-endpoint.ts'
import { CreatePerson, EditPerson, Person, PersonListQuery, PersonPage } from './person.ts'
import { QuotaAccount, QuotaAccountPage, QuotaQuery, QuotaUsed, SetQuota } from './quota.ts'
import { FindSuppression, FoundSuppression, LiftSuppression, Suppression } from './suppression.ts'
import {
  ChangeRoles,
  CreateUnit,
  EditUnit,
  UnitMember,
  UnitMemberPage,
  UnitRecord,
  UnitRecordPage,
} from './unit.ts'
import { SetValueNames, ValueNameCount, ValueNamePage, ValueNameQuery } from './value-name.ts'

/** Common to all of /v1/admin: only for system administrators, whatever their units. */
const forAdministrators = {
  tag: 'Administration',
  auth: ['session'],
  systemAdmin: true,
  unit: 'none',
} as const

/** The response of a list, with one example item. */
function page<Schema extends z.ZodType>(schema: Schema, item: unknown) {
  return { description: 'A page.', schema, example: { items: [item], nextCursor: null } } satisfies Answer
}

/** Units and their members. */
export const adminUnitEndpoints = {
  adminListUnits: {
    ...forAdministrators,
    method: 'GET',
    path: '/v1/admin/units',
    summary: 'List all units',
    description: 'Ordered by name.',
    query: PageQuery,
    answers: { 200: page(UnitRecordPage, exampleUnitRecord) },
    errors: [],
  },
  adminCreateUnit: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/units',
    summary: 'Create a unit',
    description: 'Unit names are unique, and so are display names.',
    body: CreateUnit,
    bodyExample: { name: exampleUnitRecord.name, kind: 'ordinary', timeZone: 'Asia/Taipei' },
    answers: { 201: { description: 'The unit.', schema: UnitRecord, example: exampleUnitRecord } },
    errors: [],
  },
  adminEditUnit: {
    ...forAdministrators,
    method: 'PATCH',
    path: '/v1/admin/units/{id}',
    summary: 'Update a unit',
    description:
      'Changes its name, kind, time zone, or how it appears to recipients; the latter applies to messages submitted ' +
      'from now on.',
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
    summary: 'List members of a unit',
    description: 'All members with their roles, ordered by name, on one page.',
    params: IdParams,
    answers: { 200: page(UnitMemberPage, exampleMember) },
    errors: [],
  },
  adminChangeRoles: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/units/{id}/members',
    summary: 'Change roles in a unit',
    description:
      'Takes effect immediately, also for open sessions. Editors write, approvers approve or reject.',
    params: IdParams,
    body: ChangeRoles,
    bodyExample: { personId: exampleId, add: ['approver'], remove: ['editor'] },
    answers: {
      200: {
        description: 'The person with their current roles.',
        schema: UnitMember,
        example: exampleMember,
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>

/** People who can sign in to the console. */
export const adminPersonEndpoints = {
  adminListPersons: {
    ...forAdministrators,
    method: 'GET',
    path: '/v1/admin/persons',
    summary: 'List people',
    description: 'People who can sign in, newest first; or the one with the given address.',
    query: PersonListQuery,
    answers: { 200: page(PersonPage, examplePerson) },
    errors: [],
  },
  adminCreatePerson: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/persons',
    summary: 'Add a person',
    description: 'The person can sign in immediately. What they may do depends on their roles in units.',
    body: CreatePerson,
    bodyExample: { email: examplePerson.email, name: examplePerson.name },
    answers: { 201: { description: 'The person.', schema: Person, example: examplePerson } },
    errors: [],
  },
  adminEditPerson: {
    ...forAdministrators,
    method: 'PATCH',
    path: '/v1/admin/persons/{id}',
    summary: 'Update a person',
    description: 'The last system administrator cannot be removed.',
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
    summary: 'List producer keys',
    description: 'Keys of one unit or of all units, newest first, without secrets.',
    query: KeyListQuery,
    answers: { 200: page(ProducerKeyPage, exampleKey) },
    errors: [],
  },
  adminCreateKey: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/keys',
    summary: 'Issue a producer key',
    description: 'The key is returned only in this response: only its hash is stored.',
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
    summary: 'Revoke a producer key',
    description:
      'Takes effect immediately and cannot be undone. Messages submitted or approved with the key continue.',
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

/** Signing keys of events. */
export const adminEventKeyEndpoints = {
  adminListEventKeys: {
    ...forAdministrators,
    method: 'GET',
    path: '/v1/admin/event-keys',
    summary: 'List signing keys of events',
    description:
      'Keys of one unit or of all units, newest first, without secrets; not those of EVENT_SIGNING_KEYS.',
    query: KeyListQuery,
    answers: { 200: page(EventKeyPage, exampleEventKey) },
    errors: [],
  },
  adminCreateEventKey: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/event-keys',
    summary: 'Issue a signing key of events',
    description:
      'The secret is returned only in this response. A unit can have two active keys for a source, so that it can change ' +
      'from one to the other. A source is of one unit.',
    body: CreateEventKey,
    bodyExample: { unitId: exampleUnitId, name: exampleEventKey.name, sources: exampleEventKey.sources },
    answers: {
      201: {
        description: 'The key.',
        schema: IssuedEventKey,
        example: { id: exampleEventKey.id, secret: 'the-secret-of-43-characters' },
      },
    },
    errors: ['not_found', 'not_configured'],
  },
  adminRevokeEventKey: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/event-keys/{id}/revoke',
    summary: 'Revoke a signing key of events',
    description: 'Takes effect immediately and cannot be undone. Events that it has signed stay.',
    params: EventKeyParams,
    answers: {
      200: {
        description: 'The key.',
        schema: EventKey,
        example: { ...exampleEventKey, revokedAt: '2026-11-21T02:00:00.000Z' },
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>

const exampleSuppression: Suppression = {
  channel: 'email',
  since: '2026-11-20T02:00:00.000Z',
  reason: 'complaint',
}
const exampleSuppressed: FindSuppression = { channel: 'email', address: 'ann@example.edu' }

/** Suppressed addresses. */
export const adminSuppressionEndpoints = {
  adminFindSuppression: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/suppressions/find',
    summary: 'Find a suppressed address',
    description: 'Whether an address is suppressed, since when and why, in any spelling. Audited.',
    body: FindSuppression,
    bodyExample: exampleSuppressed,
    answers: {
      200: {
        description: 'What was found.',
        schema: FoundSuppression,
        example: { suppression: exampleSuppression },
      },
    },
    errors: ['not_configured'],
  },
  adminLiftSuppression: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/suppressions/lift',
    summary: 'Lift the suppression of an address',
    description:
      'The address can be sent to again, for any subject it is bound to. The audit log records the reason.',
    body: LiftSuppression,
    bodyExample: { channel: 'email', address: 'ann@example.edu', reason: 'Its owner asked for mail again.' },
    answers: {
      200: { description: 'What was lifted.', schema: Suppression, example: exampleSuppression },
    },
    errors: ['not_found', 'not_configured'],
  },
} as const satisfies Record<string, Endpoint>

const exampleCreateCategory: CreateCategory = {
  id: 'library-news',
  name: { 'zh-TW': '圖書館消息', en: 'Library news' },
  layer: 'service',
  channelPlan: exampleCategory.channelPlan,
  quietHours: { from: '22:00', to: '07:00' },
  frequencyCap: { messages: 3, days: 7 },
}

const exampleValueName = { value: 'cs', name: { 'zh-TW': '資訊工程學系', en: 'Computer Science' } }

/** What people call the values by which audiences are chosen. */
export const adminValueNameEndpoints = {
  adminListValueNames: {
    ...forAdministrators,
    method: 'GET',
    path: '/v1/admin/value-names',
    summary: 'List the names of values of audiences',
    description: 'Of one dimension, in the order of the values.',
    query: ValueNameQuery,
    answers: { 200: page(ValueNamePage, { dimension: 'orgUnits', ...exampleValueName }) },
    errors: [],
  },
  adminSetValueNames: {
    ...forAdministrators,
    method: 'PUT',
    path: '/v1/admin/value-names',
    summary: 'Set names of values of audiences',
    description:
      'What people read in place of a code such as `cs`, where they choose an audience or approve one. A value need not be ' +
      'there yet. Names of other values stay.',
    body: SetValueNames,
    bodyExample: { dimension: 'orgUnits', names: [exampleValueName] },
    answers: { 200: { description: 'What changed.', schema: ValueNameCount, example: { changed: 1 } } },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>

/** Categories and quota. */
export const adminCategoryEndpoints = {
  adminListCategories: {
    ...forAdministrators,
    method: 'GET',
    path: '/v1/admin/categories',
    summary: 'List all categories',
    description: 'Ordered by id, including disabled ones.',
    query: PageQuery,
    answers: { 200: page(CategoryPage, exampleCategory) },
    errors: [],
  },
  adminCreateCategory: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/categories',
    summary: 'Create a category',
    description: 'For all units. Producers refer to it by its id, which cannot change.',
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
    summary: 'Update, disable or enable a category',
    description:
      'Takes effect immediately, also for submitted messages, except channelPlan: it applies to messages created or ' +
      'edited from now on. Messages of a disabled category can be neither created nor submitted; submitted ones are ' +
      'still sent.',
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
    summary: 'Get quota',
    description: 'One account per channel, of a unit or of the pool, in one month.',
    query: QuotaQuery,
    answers: { 200: page(QuotaAccountPage, exampleAccount) },
    errors: ['not_found'],
  },
  adminSetQuota: {
    ...forAdministrators,
    method: 'PUT',
    path: '/v1/admin/quota',
    summary: 'Set a quota limit',
    description:
      'For one month, or for this month and all later ones. A limit below the pushes committed and reserved fails ' +
      'with 409 quota_exceeded; details.used is their number.',
    body: SetQuota,
    bodyExample: { scope: exampleUnitId, channel: 'chat', limit: 180_000, month: '2026-12' },
    answers: { 200: { description: 'The account.', schema: QuotaAccount, example: exampleAccount } },
    errors: ['quota_exceeded', 'not_found'],
    details: { quota_exceeded: QuotaUsed },
  },
} as const satisfies Record<string, Endpoint>

const exampleLookupEndpoint: LookupEndpoint = {
  id: exampleId,
  origin: 'https://orders.example.edu',
  unitId: exampleUnitId,
  keyId: null,
  sendUid: false,
  createdAt: '2026-11-20T02:00:00.000Z',
}

/** Where Lookups of scenarios may go. */
export const adminLookupEndpointEndpoints = {
  adminListLookupEndpoints: {
    ...forAdministrators,
    method: 'GET',
    path: '/v1/admin/lookup-endpoints',
    summary: 'List Lookup endpoints',
    description: 'The endpoints that scenarios may call, newest first.',
    query: PageQuery,
    answers: { 200: page(LookupEndpointPage, exampleLookupEndpoint) },
    errors: [],
  },
  adminCreateLookupEndpoint: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/lookup-endpoints',
    summary: 'Register a Lookup endpoint',
    description:
      'Lets scenarios call addresses of this origin. An origin may be registered once for each unit and once for all; ' +
      "a unit's own comes first. The section webhooks of this document describes the calls.",
    body: CreateLookupEndpoint,
    bodyExample: { origin: 'https://orders.example.edu', unitId: exampleUnitId },
    answers: {
      201: { description: 'The endpoint.', schema: LookupEndpoint, example: exampleLookupEndpoint },
    },
    errors: ['not_found', 'not_configured'],
  },
  adminDeleteLookupEndpoint: {
    ...forAdministrators,
    method: 'DELETE',
    path: '/v1/admin/lookup-endpoints/{id}',
    summary: 'Delete a Lookup endpoint',
    description:
      'Takes effect immediately: a Lookup at an address that is no longer registered is not made, and fails with the ' +
      '`lookup_error` `network`.',
    params: IdParams,
    answers: {
      200: {
        description: 'The endpoint is deleted.',
        schema: DeletedLookupEndpoint,
        example: { deleted: true },
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
