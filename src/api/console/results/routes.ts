import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../contract/errors.ts'
import { UnitQuotaQuery } from '../../../contract/identity/unit-quota.ts'
import { MetricsQuery } from '../../../contract/metrics/trend.ts'
import { findPatternTitles } from '../../../db/queries/pattern/titles.ts'
import { localise } from '../../../domain/content/localise.ts'
import { dayOf } from '../../../domain/lib/month.ts'
import type { Services } from '../../../services/context.ts'
import { messagesOf } from '../../../services/messages/read.ts'
import { getExecutiveMetrics, getTrend } from '../../../services/metrics/read.ts'
import { getUnitQuota } from '../../../services/quota/unit-quota.ts'
import { sendCsv } from '../../csv.ts'
import { signedInPages } from '../kit/signed-in-pages.ts'
import { unitIn } from '../kit/unit-in.ts'
import { resultsPage } from './page.ts'
import { quotaPage } from './quota-page.ts'

/** The pages on which people of a unit read its results and its quota (docs/design/console.md). */
export function resultsPageRoutes(app: FastifyInstance, services: Services): void {
  signedInPages(app, services, 'results', ({ get }) => {
    get('/results', async ({ principal, session, locale }, request) => {
      const unit = await unitIn(services.db, session, request)
      const period = periodIn(request, unit.id)
      const metrics = await getExecutiveMetrics(services, principal, period)
      const trend = await getTrend(services, principal, period)
      const titles = await findPatternTitles(services.db, unit.id, Object.keys(metrics.completion))
      const messages = await messagesOf(services, principal, Object.keys(metrics.reminders))
      const named = [...titles, ...messages.map(({ id, title }) => [id, title] as const)]
      const names = new Map(named.map(([id, title]) => [id, localise(locale, title)]))
      return resultsPage(locale, { unit, days: period.days, metrics, trend, names })
    })

    get('/results.csv', async ({ principal, session }, request, reply) => {
      const unit = await unitIn(services.db, session, request)
      const { points } = await getTrend(services, principal, periodIn(request, unit.id))
      const columns = ['date', 'sent', 'people', 'reached', 'read', 'blocked', 'unsubscribes'] as const
      const more = ['handoffs', 'answers', 'completed'] as const
      const list = { page: async () => ({ items: points, nextCursor: null }), audit: async () => {} }
      return sendCsv(reply, { name: 'results', columns: [...columns, ...more] }, list)
    })
  })

  signedInPages(app, services, 'quota', ({ get }) => {
    get('/quota', async ({ principal, session, locale }, request) => {
      const unit = await unitIn(services.db, session, request)
      const quota = await getUnitQuota(services, principal, unit.id, monthIn(request))
      const today = dayOf(new Date(), services.quotaTimeZone)
      return quotaPage(locale, unit, { quota, months: monthsAround(quota.month), today })
    })
  })
}

/** @throws ServiceError validation_error */
function periodIn({ query }: FastifyRequest, unitId: string): MetricsQuery & { unitId: string } {
  const { days } = query as { days?: unknown }
  const result = MetricsQuery.safeParse({ unitId, ...(days !== undefined && { days }) })
  if (result.success) return { ...result.data, unitId }
  throw new ServiceError('validation_error', 'The period is not one of the page.')
}

/** @throws ServiceError validation_error */
function monthIn({ query }: FastifyRequest): UnitQuotaQuery {
  const { month } = query as { month?: unknown }
  const result = UnitQuotaQuery.safeParse(month === undefined ? {} : { month })
  if (result.success) return result.data
  throw new ServiceError('validation_error', 'The month is not one of the page.')
}

/** The months before and after one, yyyy-mm, the newest first. */
function monthsAround(month: string): string[] {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return Array.from({ length: 13 }, (_, index) => {
    const at = new Date(Date.UTC(year, number - 1 + 2 - index, 15))
    return at.toISOString().slice(0, 7)
  })
}
