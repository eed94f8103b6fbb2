import type { FastifyInstance } from 'fastify'
import type { ImportFormat } from '../../contract/enums.ts'
import { actorOf } from '../../domain/rights/principal.ts'
import type { Services } from '../../services/context.ts'
import { findOwnImport, listImports, listRefusedLines } from '../../services/imports/find.ts'
import { receiveImport } from '../../services/imports/receive.ts'
import { clipPath, requestError } from '../../services/validation-error.ts'
import { serve } from '../serve.ts'

/** Bulk imports of people (docs/api/imports.md). */
export function importRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'createImport', ({ principal, query, request }) => {
    const { unitId } = principal
    const format = formatOf(request.headers['content-type'])
    return receiveImport(services.db, { unitId, actor: actorOf(principal), format, ...query }, request.raw)
  })

  serve(app, 'listImports', ({ principal, query }) => listImports(services, principal, query))

  serve(app, 'getImport', ({ principal, params }) => findOwnImport(services.db, principal.unitId, params.id))

  serve(app, 'listRefusedLines', ({ principal, params, query }) =>
    listRefusedLines(services, principal, params.id, query),
  )
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
    message: `must be text/csv or application/x-ndjson, not ${clipPath(contentType) || 'a body without a Content-Type'}`,
  })
}
