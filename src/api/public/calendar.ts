import type { FastifyInstance } from 'fastify'
import { calendarType } from '../../channels/calendar-file.ts'
import { errorStatus } from '../../contract/errors.ts'
import type { Services } from '../../services/context.ts'
import { openCalendarFile } from '../../services/links/calendar-file.ts'
import { calendarPath } from '../../services/messages/calendar.ts'
import { pagePolicy, showPage } from '../console/kit/page.ts'
import { localeOf } from '../console/kit/reader.ts'
import { prepareError } from '../plugins/errors.ts'
import { failedLinkPage, plainPage } from './link-page.ts'

/** HTTP status of an entry that is no longer kept. */
const gone = 410
const suffix = '.ics'

/**
 * The calendar files behind the buttons of messages and patterns. They are not in the table of operations: the signed
 * address is the credential, and calendar programs of people open it.
 */
export function calendarRoutes(app: FastifyInstance, services: Services): void {
  app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      const referrer = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }
      reply.headers({ 'content-security-policy': pagePolicy, 'cache-control': 'no-store', ...referrer })
    })
    scope.setErrorHandler((thrown, request, reply) => {
      const { code } = prepareError(thrown, request, reply)
      return showPage(reply, failedLinkPage(localeOf(request), code, 'open'))
    })
    scope.get(`${calendarPath}*`, async (request, reply) => {
      const name = (request.params as { '*': string })['*']
      const token = name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
      const opened = await openCalendarFile(services, token)
      if (opened !== null && typeof opened !== 'string') {
        reply.header('content-disposition', 'inline; filename="event.ics"')
        return reply.type(`${calendarType}; charset=utf-8`).send(opened.file)
      }
      reply.code(opened === 'gone' ? gone : opened === null ? errorStatus.not_found : 200)
      return reply.type('text/html; charset=utf-8').send(plainPage(opened ?? 'unknown'))
    })
  })
}
