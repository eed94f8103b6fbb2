import { CategoryPage } from '../catalogue/category.ts'
import { exampleCategory } from '../catalogue/examples.ts'
import { IdParams, PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { UnitQuota, UnitQuotaQuery } from '../identity/unit-quota.ts'
import { Unit } from '../identity/unit-summary.ts'
import { Preview } from '../messages/dry-run.ts'
import { examplePreview } from '../messages/examples.ts'
import {
  exampleCreateTemplate,
  exampleTemplate,
  exampleTemplateDetail,
  exampleTemplateVersion,
  exampleUnit,
  exampleUnitQuota,
} from './examples.ts'
import {
  ApproveTemplate,
  CreateTemplate,
  CreateTemplateVersion,
  PreviewTemplate,
  RejectTemplate,
  TemplateDetail,
  TemplateListQuery,
  TemplatePage,
  TemplateVersionPage,
} from './template.ts'

const both = { auth: ['producer', 'session'] } as const

/** The categories that all units share, and the caller's unit. */
export const catalogueEndpoints = {
  listCategories: {
    ...both,
    method: 'GET',
    path: '/v1/categories',
    tag: 'Catalogue',
    summary: 'List enabled categories',
    description:
      'All enabled categories with layer, consent scope, channel plan and approval rule, including those that the ' +
      'credential may not use.',
    unit: 'none',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: CategoryPage,
        example: { items: [exampleCategory], nextCursor: null },
      },
    },
    errors: [],
  },
  getUnit: {
    ...both,
    method: 'GET',
    path: '/v1/units/{id}',
    tag: 'Units',
    summary: 'Get a unit',
    description: "The caller's own unit: members, this month's quota ledger and threshold status.",
    unit: 'object',
    params: IdParams,
    answers: { 200: { description: 'The unit.', schema: Unit, example: exampleUnit } },
    errors: [],
  },
  getUnitQuota: {
    ...both,
    method: 'GET',
    path: '/v1/units/{id}/quota',
    tag: 'Units',
    summary: "Get a unit's quota of a month",
    description:
      "The caller's own unit: what is left, used and reserved on each channel, and by which messages.",
    unit: 'object',
    params: IdParams,
    query: UnitQuotaQuery,
    answers: { 200: { description: 'The quota.', schema: UnitQuota, example: exampleUnitQuota } },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>

const ofTemplates = { auth: ['producer', 'session'] } as const
const decides = {
  method: 'POST',
  tag: 'Catalogue',
  auth: ['session'],
  roles: ['approver'],
  unit: 'object',
  params: IdParams,
} as const

/** Templates of a unit, their versions, and their approval. */
export const templateEndpoints = {
  listTemplates: {
    ...ofTemplates,
    method: 'GET',
    path: '/v1/templates',
    tag: 'Catalogue',
    summary: 'List templates',
    description: 'Newest first.',
    unit: 'query',
    query: TemplateListQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: TemplatePage,
        example: { items: [exampleTemplate], nextCursor: null },
      },
    },
    errors: [],
  },
  createTemplate: {
    ...ofTemplates,
    method: 'POST',
    path: '/v1/templates',
    tag: 'Catalogue',
    summary: 'Create a template',
    description:
      'Texts are Liquid templates over the listed variables; invalid Liquid and unlisted variables are rejected. ' +
      'The template can be used immediately, but passes the automatic check only once approved.',
    roles: ['editor'],
    unit: 'body',
    body: CreateTemplate,
    bodyExample: exampleCreateTemplate,
    answers: {
      201: { description: 'The template.', schema: TemplateDetail, example: exampleTemplateDetail },
    },
    errors: ['not_found', 'category_not_allowed', 'fixed_category'],
  },
  getTemplate: {
    ...ofTemplates,
    method: 'GET',
    path: '/v1/templates/{id}',
    tag: 'Catalogue',
    summary: 'Get a template',
    description:
      'Returns its newest version; inForce is the version that messages use, allowed what the caller may decide.',
    unit: 'object',
    params: IdParams,
    answers: {
      200: { description: 'The template.', schema: TemplateDetail, example: exampleTemplateDetail },
    },
    errors: [],
  },
  listTemplateVersions: {
    ...ofTemplates,
    method: 'GET',
    path: '/v1/templates/{id}/versions',
    tag: 'Catalogue',
    summary: 'List versions of a template',
    description: 'Newest first, with the author and the decision of each.',
    unit: 'object',
    params: IdParams,
    query: PageQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: TemplateVersionPage,
        example: { items: [exampleTemplateVersion], nextCursor: null },
      },
    },
    errors: [],
  },
  previewTemplate: {
    ...ofTemplates,
    method: 'POST',
    path: '/v1/templates/{id}/preview',
    tag: 'Catalogue',
    summary: 'Preview a template',
    description:
      'Shows its newest version with example values, as a message of it would be frozen, whether it is approved or not. ' +
      'Changes nothing.',
    unit: 'object',
    params: IdParams,
    body: PreviewTemplate,
    bodyExample: { locale: 'en', channel: 'chat' },
    answers: { 200: { description: 'What the channel shows.', schema: Preview, example: examplePreview } },
    errors: ['missing_variable', 'content_violation', 'not_configured'],
  },
  createTemplateVersion: {
    ...ofTemplates,
    method: 'POST',
    path: '/v1/templates/{id}/versions',
    tag: 'Catalogue',
    summary: 'Create a version of a template',
    description:
      'Creates a draft, checked like a new template. Messages use the last approved version until this one is ' +
      'approved; submitted messages keep the version they were submitted with.',
    roles: ['editor'],
    unit: 'object',
    params: IdParams,
    body: CreateTemplateVersion,
    bodyExample: { messages: exampleCreateTemplate.messages, variables: exampleCreateTemplate.variables },
    answers: {
      201: {
        description: 'The template, in this version.',
        schema: TemplateDetail,
        example: { ...exampleTemplateDetail, state: 'draft', version: 2, decision: null },
      },
    },
    errors: ['category_not_allowed', 'fixed_category'],
  },
  approveTemplate: {
    ...decides,
    path: '/v1/templates/{id}/approve',
    summary: 'Approve a template',
    description:
      'Approves the newest version. The caller must be an approver of the unit who wrote no version since the last ' +
      'approved one. Messages ' +
      'submitted from then on use it.',
    body: ApproveTemplate,
    bodyOptional: true,
    bodyExample: { version: 1 },
    answers: {
      200: { description: 'The approved template.', schema: TemplateDetail, example: exampleTemplateDetail },
    },
    errors: ['invalid_transition', 'self_approval'],
  },
  rejectTemplate: {
    ...decides,
    path: '/v1/templates/{id}/reject',
    summary: 'Reject a template',
    description:
      'Rejects the newest version, with a reason. The caller must be an approver of the unit. The last approved ' +
      'version stays in force.',
    body: RejectTemplate,
    bodyExample: { reason: 'The English title is missing.', version: 1 },
    answers: {
      200: {
        description: 'The rejected template.',
        schema: TemplateDetail,
        example: { ...exampleTemplateDetail, state: 'rejected' },
      },
    },
    errors: ['invalid_transition'],
  },
} as const satisfies Record<string, Endpoint>
