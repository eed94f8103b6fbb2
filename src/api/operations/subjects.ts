import { Readable } from 'node:stream'
import type { ImportFormat } from '../../contract/enums.ts'
import { broken } from '../../contract/rules.ts'
import { actorOf } from '../../domain/rights/principal.ts'
import type { Services } from '../../services/context.ts'
import { findOwnImport, listImports, listRejectedLines } from '../../services/imports/find.ts'
import { receiveImport } from '../../services/imports/receive.ts'
import { startByLastFollow } from '../../services/scenario-runs/start-by-last-follow.ts'
import { bindAddress, byKey, unbindAddress } from '../../services/subjects/addresses.ts'
import { grantConsent, revokeConsent } from '../../services/subjects/consents.ts'
import { listSubjectDeliveries, listSubjectTurns } from '../../services/subjects/deliveries.ts'
import { eraseSubject } from '../../services/subjects/erase.ts'
import { exportSubject } from '../../services/subjects/export.ts'
import { getSubject } from '../../services/subjects/find.ts'
import { resolveSubjects } from '../../services/subjects/resolve.ts'
import { updateSubject } from '../../services/subjects/update.ts'
import { clipPath, requestError } from '../../services/validation-error.ts'
import type { Handlers } from '../serve.ts'

/** Subjects: addresses, attributes, consents, records and imports (docs/api/subjects.md, imports.md). */
export function subjectHandlers(services: Services) {
  return {
    bindAddress: ({ principal, params, body }) =>
      bindAddress(services, principal, params, body, startByLastFollow),
    unbindAddress: ({ principal, params }) => unbindAddress(services.db, byKey(principal), params),
    updateSubject: ({ principal, params, body }) => updateSubject(services, principal, params.uid, body),
    getSubject: ({ principal, params }) => getSubject(services, principal, params.uid),
    resolveSubjects: ({ principal, body }) => resolveSubjects(services, principal, body),
    grantConsent: ({ principal, params, body }) => grantConsent(services, principal, params.uid, body),
    revokeConsent: ({ principal, params, query, body }) =>
      revokeConsent(services, principal, params.uid, { inQuery: query.scope, inBody: body.scope }),
    listSubjectDeliveries: ({ principal, params, query }) =>
      listSubjectDeliveries(services, principal, params.uid, query),
    listSubjectTurns: ({ principal, params, query }) =>
      listSubjectTurns(services, principal, params.uid, query),
    exportSubject: async ({ principal, params, reply }) => {
      const parts = await exportSubject(services, principal, params.uid)
      return reply.type('application/json; charset=utf-8').send(Readable.from(parts, { objectMode: false }))
    },
    eraseSubject: ({ principal, params }) => eraseSubject(services, principal, params.uid),
    createImport: ({ principal, query, request }) => {
      const { unitId } = principal
      const format = formatOf(request.headers['content-type'])
      return receiveImport(services.db, { unitId, actor: actorOf(principal), format, ...query }, request.raw)
    },
    listImports: ({ principal, query }) => listImports(services, principal, query),
    getImport: ({ principal, params }) => findOwnImport(services.db, principal.unitId, params.id),
    listRejectedLines: ({ principal, params, query }) =>
      listRejectedLines(services, principal, params.id, query),
  } satisfies Partial<Handlers>
}

const formats: Record<string, ImportFormat> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
}

function formatOf(contentType = ''): ImportFormat {
  const format = formats[contentType.split(';')[0]!.trim().toLowerCase()]
  if (format) return format
  throw requestError('Send the file itself as the body, as text/csv or application/x-ndjson.', {
    path: '',
    ...broken('wrong_media_type', {
      values: ['text/csv', 'application/x-ndjson'],
      actual: clipPath(contentType) || null,
    }),
  })
}
