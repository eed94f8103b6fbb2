import { CategoryPage } from '../category.ts'
import { IdParams, PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { Unit } from '../unit.ts'
import { exampleCategory, exampleUnit } from './examples-catalogue.ts'

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
