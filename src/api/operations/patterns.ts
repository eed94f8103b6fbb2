import { nameOrganisers } from '../../services/answers/organisers.ts'
import { patternAnswersOf } from '../../services/answers/pattern.ts'
import type { Services } from '../../services/context.ts'
import { createPattern, getPattern, listPatterns, patchPattern } from '../../services/patterns/patterns.ts'
import { getPatternReport } from '../../services/patterns/report.ts'
import { createPatternVersion } from '../../services/patterns/versions.ts'
import { sendAnswers } from '../answer-table.ts'
import { versionIn } from '../plugins/etag.ts'
import type { Handlers } from '../serve.ts'

/** Registrations, surveys, and questions whether people come (docs/api/patterns.md). */
export function patternHandlers(services: Services) {
  return {
    listPatterns: ({ principal, query }) => listPatterns(services, principal, query),
    createPattern: ({ principal, body }) => createPattern(services, principal, body),
    getPattern: ({ principal, params }) => getPattern(services, principal, params.id),
    patchPattern: ({ principal, params, body }) => patchPattern(services, principal, params.id, body),
    createPatternVersion: ({ principal, params, headers, body }) =>
      createPatternVersion(services, principal, params.id, body, { ifMatch: versionIn(headers['if-match']) }),
    getPatternReport: ({ principal, params }) => getPatternReport(services, principal, params.id),
    listPatternAnswers: async ({ principal, params, query, request, reply }) =>
      sendAnswers(request, reply, await patternAnswersOf(services, principal, params.id, query), query),
    namePatternOrganisers: ({ principal, params, body }) =>
      nameOrganisers(services, principal, { kind: 'pattern', id: params.id }, body),
  } satisfies Partial<Handlers>
}
