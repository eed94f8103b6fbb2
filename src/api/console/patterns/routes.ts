import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOneOf, patternTypes } from '../../../contract/enums.ts'
import type { ServiceError } from '../../../contract/errors.ts'
import { PatchPattern, type Pattern, PatternListQuery } from '../../../contract/patterns/pattern.ts'
import { broken } from '../../../contract/rules.ts'
import { findUnit, listMembers } from '../../../db/queries/identity/unit.ts'
import { countOpenRuns } from '../../../db/queries/scenario-run/start.ts'
import { roleRefusal } from '../../../domain/rights/permission.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import { nameOrganisers } from '../../../services/answers/organisers.ts'
import { readsAnswers } from '../../../services/answers/readers.ts'
import type { Services } from '../../../services/context.ts'
import { readDesign } from '../../../services/patterns/design.ts'
import { getPattern, listPatterns, patchPattern } from '../../../services/patterns/patterns.ts'
import { getPatternReport } from '../../../services/patterns/report.ts'
import { startTestRun } from '../../../services/scenario-runs/test-run.ts'
import { putScenario } from '../../../services/scenarios/change.ts'
import { withdrawScenario } from '../../../services/scenarios/withdraw.ts'
import { orNotFound } from '../../../services/unit-access.ts'
import { validationError } from '../../../services/validation-error.ts'
import { organisersIn } from '../answers/organisers.ts'
import type { Fields } from '../compose/form/fields.ts'
import { bodyIn, readAs, wallIn } from '../compose/form/parse-form.ts'
import { refusalText } from '../compose/issues.ts'
import { beginForm } from '../kit/begin-form.ts'
import { foreignForm, storableFormOf } from '../kit/form.ts'
import type { Page } from '../kit/page.ts'
import { idOf, listQuery, searchIn, versionNamed } from '../kit/page-address.ts'
import { withRejection } from '../kit/rejection.ts'
import { type Reader, signedInPages } from '../kit/signed-in-pages.ts'
import { unitIn } from '../kit/unit-in.ts'
import { type ConfirmedAct, confirmedActs, offersOf } from './acts.ts'
import { patternsPage } from './list.ts'
import { confirmPatternPage, type PatternProps, patternPage } from './page.ts'
import { patternActs, patternPageWords } from './words.ts'

const url = '/patterns/:id'

/** The pages on which people of a unit see its registrations, surveys and rsvps (docs/design/console.md). */
export function patternPageRoutes(app: FastifyInstance, services: Services): void {
  signedInPages(app, services, 'patterns', ({ get, post }) => {
    get('/patterns', async ({ principal, session, locale }, request) => {
      const unit = await unitIn(services.db, session, request)
      const search = searchIn(request)
      const query = listQuery(PatternListQuery, unit, search)
      const { begin: texts } = patternPageWords[locale]
      const begin = beginForm(
        locale,
        session,
        unit,
        patternTypes.map((type) => ({ type, text: texts[type] })),
      )
      const items = await listPatterns(services, principal, query)
      return patternsPage(locale, { unit, begin }, search, items)
    })

    get(url, async (reader, request) => {
      const { done, act: wanted } = request.query as { done?: unknown; act?: unknown }
      const props = await propsOf(reader, idOf(request))
      const act = props.rights.edits ? offersOf(props).find((one) => one === wanted) : undefined
      if (isOneOf(confirmedActs, act)) {
        const open = await countOpenRuns(services.db, props.pattern.scenarioId)
        return confirmPatternPage(reader.locale, props, act, open)
      }
      // Offered a moment ago, and no longer possible.
      const refused = wanted === undefined ? null : patternPageWords[reader.locale].moved
      return patternPage(reader.locale, {
        ...props,
        done: patternActs.find((one) => one === done) ?? null,
        refused,
      })
    })

    post(url, performAct)
  })

  async function performAct(
    reader: Reader,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Page | FastifyReply> {
    const { principal } = reader
    const form = storableFormOf(request)
    const pattern = await getPattern(services, principal, idOf(request))
    const act = form.get('act')
    const press = async () => {
      const organisers = organisersIn(form)
      if (act === 'activate') await activate(principal, pattern, form)
      else if (isOneOf(confirmedActs, act)) await confirmed[act](principal, pattern, form)
      else if (act === 'organise')
        await nameOrganisers(services, principal, { kind: 'pattern', id: pattern.id }, { organisers })
      else if (act === 'try') await startTestRun(services, principal, pattern.scenarioId)
      else if (act === 'change') await change(principal, pattern, form)
      else throw foreignForm()
      return reply.redirect(`/patterns/${pattern.id}?done=${act}`, 303)
    }
    const explains = (error: ServiceError) =>
      error.code === 'invalid_transition'
        ? patternPageWords[reader.locale].moved
        : refusalText(reader.locale, error)
    return withRejection(reply, explains, press, async (refused) =>
      patternPage(reader.locale, { ...(await propsOf(reader, pattern.id)), done: null, refused }),
    )
  }

  /** Asks for the newest version, as it was shown; of one that was in force, organisers are an approver's. */
  async function activate(
    principal: PersonPrincipal,
    { scenarioId, inForce }: Pattern,
    form: URLSearchParams,
  ) {
    const organisers = inForce === null ? { organisers: organisersIn(form) } : {}
    const options = { ifMatch: versionNamed(form.get('version')) }
    await putScenario(services, principal, scenarioId, { state: 'active', ...organisers }, options)
  }

  /** What each act does, if what the form was about is as it was shown. */
  const confirmed: Record<
    ConfirmedAct,
    (principal: PersonPrincipal, pattern: Pattern, form: URLSearchParams) => Promise<unknown>
  > = {
    withdraw: async (principal, { scenarioId }, form) => {
      const version = versionNamed(form.get('version'))
      if (version === undefined) throw foreignForm()
      await withdrawScenario(services, principal, scenarioId, { version })
    },
    // A time that people can write: they move it from the page.
    close: (principal, { id }, form) =>
      patchPattern(services, principal, id, { deadline: startOfMinute(Date.now()) }, deadlineIn(form)),
    reopen: async (principal, pattern, form) => {
      const { deadline } = await patchIn(pattern, [['deadline', form.get('deadline') ?? '']])
      if (deadline === undefined || Date.parse(deadline) <= Date.now())
        throw validationError([{ path: 'deadline', ...broken('in_the_past', { of: 'deadline' }) }])
      await patchPattern(services, principal, pattern.id, { deadline }, deadlineIn(form))
    },
    resume: (principal, { scenarioId }, form) =>
      putScenario(
        services,
        principal,
        scenarioId,
        { state: 'active' },
        { ifMatch: versionNamed(form.get('version')) },
      ),
  }

  /** @throws ServiceError validation_error, and what `patchPattern` throws */
  async function change(principal: PersonPrincipal, pattern: Pattern, form: URLSearchParams) {
    const fields = [...form].flatMap(([name, value]): Fields => {
      if (name === 'capacity') return [['capacity#', value]]
      return name === 'deadline' ? [[name, value]] : []
    })
    await patchPattern(services, principal, pattern.id, await patchIn(pattern, fields))
  }

  /** @throws ServiceError validation_error */
  async function patchIn({ unitId }: Pattern, fields: Fields): Promise<PatchPattern> {
    const { timeZone } = orNotFound(await findUnit(services.db, unitId), 'unit')
    const { body, issues } = readAs(PatchPattern, bodyIn(fields, timeZone), fields)
    if (!body) throw validationError(issues.map(({ name, why }) => ({ path: name, ...why })))
    return body
  }

  async function propsOf({ principal }: Reader, patternId: string): Promise<PatternProps> {
    const designed = await readDesign(services, principal, patternId)
    const { id, unitId, deadline } = designed.pattern
    const unit = orNotFound(await findUnit(services.db, unitId), 'unit')
    const rights = {
      edits: roleRefusal(principal, 'create', unitId) === null,
      decides: roleRefusal(principal, 'approve', unitId) === null,
      reads: await readsAnswers(services.db, principal, { kind: 'pattern', id, unitId }),
    }
    return {
      ...designed,
      unit,
      report: await getPatternReport(services, principal, id),
      rights,
      members: rights.edits || rights.decides ? await listMembers(services.db, unitId) : null,
      deadline: wallIn(deadline, unit.timeZone),
    }
  }
}

/** The deadline as the page showed it: somebody may have moved it since. */
function deadlineIn(form: URLSearchParams): string {
  const deadline = form.get('shown')
  if (deadline === null || Number.isNaN(Date.parse(deadline))) throw foreignForm()
  return deadline
}

function startOfMinute(now: number): string {
  return new Date(now - (now % 60_000)).toISOString()
}
