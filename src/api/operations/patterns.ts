import { keysOf } from '../../contract/enums.ts'
import { Registration } from '../../contract/patterns/pattern.ts'
import type { Services } from '../../services/context.ts'
import { createPattern, getPattern, listPatterns, patchPattern } from '../../services/patterns/patterns.ts'
import { getPatternReport, listRegistrations, registrationsOf } from '../../services/patterns/report.ts'
import { sendCsv, wantsCsv } from '../csv.ts'
import type { Handlers } from '../serve.ts'

const registrationTable = { name: 'registrations', columns: keysOf(Registration.shape) }

/** Registrations, surveys, and questions whether people come (docs/api/patterns.md). */
export function patternHandlers(services: Services) {
  return {
    listPatterns: ({ principal, query }) => listPatterns(services, principal, query),
    createPattern: ({ principal, body }) => createPattern(services, principal, body),
    getPattern: ({ principal, params }) => getPattern(services, principal, params.id),
    patchPattern: ({ principal, params, body }) => patchPattern(services, principal, params.id, body),
    getPatternReport: ({ principal, params }) => getPatternReport(services, principal, params.id),
    listRegistrations: async ({ principal, params, query, request, reply }) =>
      wantsCsv(request)
        ? sendCsv(reply, registrationTable, await registrationsOf(services, principal, params.id, query))
        : listRegistrations(services, principal, params.id, query),
  } satisfies Partial<Handlers>
}
