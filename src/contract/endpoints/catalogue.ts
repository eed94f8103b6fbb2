import { CategoryPage } from '../category.ts'
import { IdParams, PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import {
  ApproveTemplate,
  CreateTemplate,
  RejectTemplate,
  Template,
  TemplateListQuery,
  TemplatePage,
} from '../template.ts'
import { Unit } from '../unit.ts'
import { exampleCategory, exampleCreateTemplate, exampleTemplate, exampleUnit } from './examples-catalogue.ts'

const both = { doors: ['producer', 'session'] } as const
const decides = {
  method: 'POST',
  tag: 'Catalogue',
  doors: ['session'],
  roles: ['approver'],
  unit: 'object',
  params: IdParams,
} as const

/** What a unit can choose from, and the unit itself. */
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
  listTemplates: {
    ...both,
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
    ...both,
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
    ...both,
    method: 'GET',
    path: '/v1/templates/{id}',
    tag: 'Catalogue',
    summary: 'One template',
    description: 'In its newest version.',
    unit: 'object',
    params: IdParams,
    answers: { 200: { description: 'The template.', schema: Template, example: exampleTemplate } },
    errors: [],
  },
  approveTemplate: {
    ...decides,
    path: '/v1/templates/{id}/approve',
    summary: 'Approve a template',
    description: 'By an approver of the unit who is no author.',
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
    description: 'By an approver of the unit, with the reason.',
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
