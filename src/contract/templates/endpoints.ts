import { IdParams, PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { Unit } from '../oversight/unit.ts'
import { CategoryPage } from './category.ts'
import {
  exampleCategory,
  exampleCreateTemplate,
  exampleTemplate,
  exampleTemplateVersion,
  exampleUnit,
} from './examples.ts'
import {
  ApproveTemplate,
  CreateTemplate,
  CreateTemplateVersion,
  RejectTemplate,
  Template,
  TemplateListQuery,
  TemplatePage,
  TemplateVersionPage,
} from './template.ts'

const both = { doors: ['producer', 'session'] } as const

/** The categories that all units share, and the unit itself. */
export const catalogueEndpoints = {
  listCategories: {
    ...both,
    method: 'GET',
    path: '/v1/categories',
    tag: 'Catalogue',
    summary: 'Enabled categories',
    description:
      'All enabled ones, with layer, consent scope, channel plan and approval rule; a credential may be limited to some.',
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
    summary: 'A unit',
    description: "The caller's own: members, this month's quota ledger and how near it is to its end.",
    unit: 'object',
    params: IdParams,
    answers: { 200: { description: 'The unit.', schema: Unit, example: exampleUnit } },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>

const ofTemplates = { doors: ['producer', 'session'] } as const
const decides = {
  method: 'POST',
  tag: 'Catalogue',
  doors: ['session'],
  roles: ['approver'],
  unit: 'object',
  params: IdParams,
} as const

/** Templates of a unit, their versions, and what is decided about them. */
export const templateEndpoints = {
  listTemplates: {
    ...ofTemplates,
    method: 'GET',
    path: '/v1/templates',
    tag: 'Catalogue',
    summary: 'Templates of a unit',
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
      'Texts are Liquid over the listed variables; a text that uses another one, or is no Liquid, is refused. ' +
      'It can be used at once, but passes the automatic check only when approved.',
    roles: ['editor'],
    unit: 'body',
    body: CreateTemplate,
    bodyExample: exampleCreateTemplate,
    answers: { 201: { description: 'The template.', schema: Template, example: exampleTemplate } },
    errors: ['not_found', 'category_not_allowed', 'fixed_category'],
  },
  getTemplate: {
    ...ofTemplates,
    method: 'GET',
    path: '/v1/templates/{id}',
    tag: 'Catalogue',
    summary: 'One template',
    description: 'In its newest version; inForce says which one messages use.',
    unit: 'object',
    params: IdParams,
    answers: { 200: { description: 'The template.', schema: Template, example: exampleTemplate } },
    errors: [],
  },
  listTemplateVersions: {
    ...ofTemplates,
    method: 'GET',
    path: '/v1/templates/{id}/versions',
    tag: 'Catalogue',
    summary: 'Versions of a template',
    description: 'Newest first, with who wrote and who decided about each.',
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
  createTemplateVersion: {
    ...ofTemplates,
    method: 'POST',
    path: '/v1/templates/{id}/versions',
    tag: 'Catalogue',
    summary: 'Write a new version of a template',
    description:
      'A draft, checked like a new template. Messages go on using the version approved last until this one is approved; ' +
      'what was submitted keeps the version it was submitted with.',
    roles: ['editor'],
    unit: 'object',
    params: IdParams,
    body: CreateTemplateVersion,
    bodyExample: { messages: exampleCreateTemplate.messages, variables: exampleCreateTemplate.variables },
    answers: {
      201: {
        description: 'The template, in this version.',
        schema: Template,
        example: { ...exampleTemplate, state: 'draft', version: 2, decision: null },
      },
    },
    errors: ['category_not_allowed', 'fixed_category'],
  },
  approveTemplate: {
    ...decides,
    path: '/v1/templates/{id}/approve',
    summary: 'Approve a template',
    description:
      'Its newest version, by an approver of the unit who is not its author. From then on messages use it.',
    body: ApproveTemplate,
    bodyOptional: true,
    bodyExample: { version: 1 },
    answers: { 200: { description: 'The approved template.', schema: Template, example: exampleTemplate } },
    errors: ['invalid_transition', 'self_approval'],
  },
  rejectTemplate: {
    ...decides,
    path: '/v1/templates/{id}/reject',
    summary: 'Reject a template',
    description:
      'Its newest version, by an approver of the unit, with the reason. One approved before stays in force.',
    body: RejectTemplate,
    bodyExample: { reason: 'The English title is missing.', version: 1 },
    answers: {
      200: {
        description: 'The rejected template.',
        schema: Template,
        example: { ...exampleTemplate, state: 'rejected' },
      },
    },
    errors: ['invalid_transition'],
  },
} as const satisfies Record<string, Endpoint>
