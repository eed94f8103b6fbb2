import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Link, type LinkSigner, linkPath } from '../../channels/email/links.ts'
import { copyToken, sampleToken } from '../../channels/email/sample.ts'
import { channels as everyChannel, isOneOf } from '../../contract/enums.ts'
import { errorStatus } from '../../contract/errors.ts'
import type { Services } from '../../services/context.ts'
import { answerOnPage, type PageForm } from '../../services/links/answer-page.ts'
import { followLink, type LinkForm, type LinkView, viewLink } from '../../services/links/links.ts'
import { type Opened, openLink, trackedLinkIn } from '../../services/links/open-link.ts'
import { awaitPage, type ConversationView, type PageAddress } from '../../services/links/read-page.ts'
import { assertStorable } from '../console/kit/form.ts'
import { pagePolicy, showPage } from '../console/kit/page.ts'
import { localeOf } from '../console/kit/reader.ts'
import { prepareError } from '../plugins/errors.ts'
import { conversationPage } from './conversation-page.ts'
import { failedLinkPage, linkPage, plainPage } from './link-page.ts'
import { readChoices } from './preferences-form.ts'

/** HTTP status of a link that has ended. */
const gone = 410
const mailPolicy =
  "default-src 'none'; img-src http: https:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; " +
  "frame-ancestors 'none'"
/** A conversation shows pictures of its unit, from wherever they are. */
const picturePolicy = pagePolicy.replace("img-src 'self' data:", 'img-src http: https: data:')
/** A mail program's one-click request has 30 bytes; the preferences form takes 35 for each category and topic. */
const bodyBytes = 128 * 1_024

/**
 * The pages behind the links in mails: GET shows the page and changes nothing, POST makes the change (RFC 8058). A tracked
 * link of a mail or a chat message has no page: GET counts a click and redirects. They are not in the table of
 * operations: they serve HTML to people and mail programs, and the signed link is the credential. Without `links`, no
 * link was ever signed here.
 */
export function linkRoutes(app: FastifyInstance, services: Services): void {
  const { db, links } = services
  app.register(async (scope) => {
    // One-click requests are forms of either encoding (RFC 8058, 3.2); the text holds all that is read.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: bodyBytes }, (_request, body, done) =>
      done(null, body),
    )
    scope.addHook('onRequest', async (_request, reply) => {
      // The address is the credential: no site may receive it as a referrer, this one included.
      const referrer = { 'referrer-policy': 'no-referrer' }
      reply.headers({ 'content-security-policy': pagePolicy, 'cache-control': 'no-store', ...referrer })
    })
    // An error of a page is a page too; mail programs read the status.
    scope.setErrorHandler((thrown, request, reply) => {
      const { code } = prepareError(thrown, request, reply)
      const to = request.method === 'POST' ? 'change' : 'open'
      return showPage(reply, failedLinkPage(localeOf(request), code, to))
    })
    // A wildcard has no maximum length: a link with text appended gets a page too.
    const url = `${linkPath}*`

    scope.get(url, async (request, reply) => {
      const token = tokenIn(request.params)
      if (token === sampleToken || token === copyToken) return page(reply, plainPage(token))
      const tracked = trackedLinkIn(services, token)
      if (tracked) return redirect(reply, await openLink(services, tracked, { count: isClick(request) }))
      const link = links?.verify(token)
      if (!links || !link) return unknown(reply)
      const address = pageAddressIn(link)
      if (address) return conversation(reply, await awaitPage(db, address))
      return answer(reply, await viewLink(services, link), link, links)
    })

    const onRequest = async ({ params }: FastifyRequest, reply: FastifyReply) => {
      if (links?.verify(tokenIn(params))) return
      return reply.send(unknown(reply)) // before the body is read
    }
    scope.post(url, { onRequest }, async ({ params, body }, reply) => {
      const link = links?.verify(tokenIn(params))
      if (!links || !link) return unknown(reply)
      const form = readForm(body)
      const address = pageAddressIn(link)
      if (address) {
        const answered = await answerOnPage(services, address, form.onPage)
        if (answered && 'goesOn' in answered) return goOn(reply, links, answered.goesOn)
        if (answered) reply.code(errorStatus.validation_error)
        return conversation(reply, answered?.stays ?? null)
      }
      const view = await followLink(services, link, form)
      if (view?.ask === 'goes_on') return goOn(reply, links, view.page)
      if (view && isRefused(view)) reply.code(errorStatus.fixed_category)
      return answer(reply, view, link, links)
    })
  })
}

/** The page of an answer, if a link is one. */
function pageAddressIn({ waveId, subjectId, target }: Link): PageAddress | null {
  return target.purpose === 'page' ? { runId: waveId, subjectId, after: target.n } : null
}

/** Leads from an answer to the page that follows it, whose address nothing else tells (docs/design/links.md). */
function goOn(reply: FastifyReply, links: LinkSigner, { runId, subjectId, after }: PageAddress) {
  const [token] = links.sign({ waveId: runId, subjectId }, [{ purpose: 'page', n: after }])
  return reply.redirect(`${linkPath}${token}`, 303)
}

/** Seconds after which a page looks again that waits for what follows. */
const lookAgain = 2

function conversation(reply: FastifyReply, view: ConversationView | null) {
  if (!view) return unknown(reply)
  reply.header('content-security-policy', picturePolicy)
  if (view.is === 'moving') reply.header('refresh', String(lookAgain))
  if (view.is === 'expired') reply.code(gone)
  return page(reply, conversationPage(view))
}

/** HEAD asks without following, and a browser that prefetches may never show the page. */
function isClick({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && !/\bprefetch\b/.test(String(headers['sec-purpose'] ?? ''))
}

function redirect(reply: FastifyReply, opened: Opened | null) {
  if (opened === null) return unknown(reply)
  if (typeof opened !== 'string')
    return reply.header('x-robots-tag', 'noindex').redirect(new URL(opened.url).href, 302)
  if (opened === 'gone') reply.code(gone)
  return page(reply, plainPage(opened))
}

function tokenIn(params: unknown): string {
  return (params as { '*': string })['*']
}

/**
 * Reads the form of the page.
 * @throws ServiceError validation_error
 */
function readForm(body: unknown): LinkForm & { onPage: PageForm } {
  const form = new URLSearchParams(typeof body === 'string' ? body : '')
  assertStorable(form)
  const wanted = form.get('wanted')
  const channels = form.getAll('channel').filter((one) => isOneOf(everyChannel, one))
  const choices = readChoices(form)
  const withdraw = form.get('withdraw')
  return {
    ...((wanted === 'on' || wanted === 'off') && { wanted, channels }),
    ...(choices && { choices }),
    ...(withdraw !== null && { withdraw }),
    onPage: readPageForm(form),
  }
}

/** `press`: the turn, the message and the option, such as `2.0.1`; an opening has turn 0. */
function readPageForm(form: URLSearchParams): PageForm {
  const [, turn, n, o] = /^(\d{1,4})\.(\d{1,2})\.(\d{1,2}(?:\.\d{1,2})?)$/.exec(form.get('press') ?? '') ?? []
  const typedAt = /^\d{1,4}$/.exec(form.get('turn') ?? '')?.[0]
  const at = turn ?? typedAt
  return {
    turn: at === undefined ? null : Number(at),
    press: n === undefined || o === undefined ? null : { n: Number(n), o },
    text: form.get('text'),
  }
}

const refusedStates: readonly string[] = ['fixed', 'over', 'answered', 'not_active']

/** Whether the request changed nothing: programs see the status, people read the page. */
function isRefused(view: LinkView): boolean {
  return 'state' in view && refusedStates.includes(view.state)
}

function answer(reply: FastifyReply, view: LinkView | null, link: Link, links: LinkSigner) {
  if (!view) return unknown(reply)
  if (view.ask === 'copy') return mailPage(reply, view.html)
  if (view.ask === 'goes_on') return goOn(reply, links, view.page)
  if (view.ask === 'option' && view.opening) reply.header('content-security-policy', picturePolicy)
  if (view.ask === 'ended' || view.ask === 'copy_gone') reply.code(gone)
  const settings = view.ask === 'mute' && view.settings ? settingsOf(link, links) : null
  return page(reply, linkPage(view, settings))
}

/** The person's settings: the same link as in the mail of `link`. */
function settingsOf(link: Link, links: LinkSigner): string {
  return `${linkPath}${links.sign(link, [{ purpose: 'preferences' }])[0]}`
}

/** A mail, which has styles and pictures of its own; it runs no script, sends no form and stands in no frame. */
function mailPage(reply: FastifyReply, markup: string): string {
  reply.headers({ 'content-security-policy': mailPolicy, 'x-robots-tag': 'noindex' })
  return page(reply, markup)
}

function unknown(reply: FastifyReply): string {
  reply.code(errorStatus.not_found)
  return page(reply, plainPage('unknown'))
}

function page(reply: FastifyReply, markup: string): string {
  reply.type('text/html; charset=utf-8')
  return markup
}
