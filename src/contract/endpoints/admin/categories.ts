import { CategoryParams, CreateCategory, EditCategory } from '../../admin/category.ts'
import { QuotaAccount, QuotaAccountPage, QuotaQuery, SetQuota } from '../../admin/quota.ts'
import { Category, CategoryPage } from '../../category.ts'
import { PageQuery } from '../../common.ts'
import type { Endpoint } from '../../endpoint.ts'
import { exampleUnitId } from '../examples.ts'
import { exampleCategory } from '../examples-catalogue.ts'
import { forAdministrators, page } from './common.ts'
import { exampleAccount } from './examples.ts'

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
