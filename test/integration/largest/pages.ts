import type { FastifyInstance } from 'fastify'
import { linkPath } from '../../../src/channels/email/links.ts'
import type { LinkTarget } from '../../../src/channels/email/wire.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { pathsServed } from '../../fixtures/routes.ts'
import type { World } from './world.ts'

/** Opens a page: its address, and who opens it. */
type Opening = { url: string; session?: string | undefined }
type Visit = (world: World) => Opening

const asApprover =
  (path: (planted: World['planted']) => string): Visit =>
  ({ planted, as }) => ({ url: path(planted), session: as.approver.session })

const asEditor =
  (path: (planted: World['planted']) => string): Visit =>
  ({ planted, as }) => ({ url: path(planted), session: as.editor.session })

const byLink =
  (target: LinkTarget): Visit =>
  ({ api, planted: { waveId, subjectId } }) => ({
    url: `${linkPath}${api.services.links!.sign({ waveId, subjectId }, [target])[0]}`,
  })

const place = { n: 0, o: '0', locale: 'zh-TW' as const }

/** Every page by its path, about the largest that it can show; a page that shows several kinds of things, once for each. */
export const pageVisits: Record<string, Record<string, Visit>> = {
  '/': { start: asApprover(() => '/') },
  '/approvals': { list: asApprover(() => '/approvals') },
  '/approvals/:kind/:id': {
    message: asApprover(({ waitingId }) => `/approvals/message/${waitingId}`),
    template: asApprover(({ templateId }) => `/approvals/template/${templateId}`),
    event_binding: asApprover(({ bindingId }) => `/approvals/event_binding/${bindingId}`),
    scenario: asApprover(({ scenarioId }) => `/approvals/scenario/${scenarioId}`),
  },
  '/handoffs': { list: asApprover(() => '/handoffs') },
  '/handoffs/:id': { conversation: asApprover(({ handoffId }) => `/handoffs/${handoffId}`) },
  '/messages': {
    list: asApprover(() => '/messages'),
    search: asApprover(() => '/messages?q=largest'),
    mine: asEditor(() => '/messages'),
    writing: asEditor(() => '/messages?state=draft'),
  },
  '/templates': { list: asApprover(() => '/templates'), search: asApprover(() => '/templates?q=largest') },
  '/templates/:id': { template: asApprover(({ templateId }) => `/templates/${templateId}`) },
  '/templates/:id/preview/:channel/:locale': {
    mail: asApprover(({ templateId }) => `/templates/${templateId}/preview/email/en`),
  },
  '/messages/:id': {
    message: asApprover(({ waitingId }) => `/messages/${waitingId}`),
    act: asApprover(({ waitingId }) => `/messages/${waitingId}?act=cancel`),
  },
  '/messages/:id/preview/:channel/:locale': {
    mail: asApprover(({ waitingId }) => `/messages/${waitingId}/preview/email/en`),
  },
  '/compose': { list: asEditor(() => '/compose') },
  '/compose/:id': {
    form: asEditor(({ compositionId }) => `/compose/${compositionId}`),
    discard: asEditor(({ compositionId }) => `/compose/${compositionId}?act=discard`),
  },
  '/compose/:id/preview/:channel/:locale': {
    mail: asEditor(({ compositionId }) => `/compose/${compositionId}/preview/email/en`),
  },
  '/patterns': { list: asApprover(() => '/patterns'), search: asApprover(() => '/patterns?q=largest') },
  '/patterns/:id': { pattern: asApprover(({ patternId }) => `/patterns/${patternId}`) },
  '/patterns/:id/answers': { people: asApprover(({ patternId }) => `/patterns/${patternId}/answers`) },
  '/patterns/:id/answers.csv': { table: asApprover(({ patternId }) => `/patterns/${patternId}/answers.csv`) },
  '/messages/:id/answers': { people: asApprover(({ messageId }) => `/messages/${messageId}/answers`) },
  '/messages/:id/answers.csv': { table: asApprover(({ messageId }) => `/messages/${messageId}/answers.csv`) },
  '/results': { results: asApprover(() => '/results?days=366') },
  '/results.csv': { table: asApprover(() => '/results.csv?days=366') },
  '/quota': { quota: asApprover(() => '/quota') },
  '/mail-settings': { settings: asApprover(() => '/mail-settings') },
  // The links of mails, which the tree of routes shows without their prefix.
  '/*': {
    answer: byLink({ purpose: 'tap', ...place }),
    unsubscribe: byLink({ purpose: 'unsubscribe' }),
    preferences: byLink({ purpose: 'preferences' }),
  },
}

const isDocumentation = (path: string) => /^\/(docs|assets\/|client\/|llms\.txt$)/.test(path)

/**
 * The paths of pages: what is served outside the table of operations, without the documentation, the client
 * library and the scripts of pages, which know no database.
 */
export function pagesServed(app: FastifyInstance): string[] {
  const operations = new Set(
    Object.values<Endpoint>(endpoints).map(({ path }) => path.replaceAll(/\{\w+\}/g, ':id')),
  )
  return pathsServed(app).filter(
    (path) => !operations.has(path.replaceAll(/:\w+/g, ':id')) && !isDocumentation(path),
  )
}
