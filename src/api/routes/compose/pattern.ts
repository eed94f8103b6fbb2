import { locales } from '../../../contract/enums.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Composition } from '../../../db/queries/composition/composition.ts'
import { findUnit } from '../../../db/queries/identity/unit.ts'
import { listCategories } from '../../../services/catalogue/categories.ts'
import { submitPattern } from '../../../services/compositions/submit-pattern.ts'
import type { Services } from '../../../services/context.ts'
import { picturesOf } from '../../../services/media/pictures-in.ts'
import { playDesign } from '../../../services/patterns/play.ts'
import { orNotFound } from '../../../services/unit-access.ts'
import { type FieldIssue, issuesOf } from '../../compose/described.ts'
import { addedTo, issuesInForm, patternDescribedBy } from '../../compose/pattern-body.ts'
import { patternForm } from '../../pages/compose/pattern-form.ts'
import type { Composer } from './composer.ts'

/** A registration, a survey or an rsvp, as it is written in a browser. */
export function patternComposer(services: Services): Composer {
  return {
    async page({ locale }, composition, { theirs, refused }) {
      const unit = await unitOf(composition)
      return patternForm(locale, {
        ...{ unit, composition, theirs, refused },
        categories: (await listCategories(services, { limit: limits.pageSizeMax })).items,
        ...(await check(composition, unit.timeZone)),
        pictures: picturesOf(services),
      })
    },

    async submit({ principal }, composition) {
      const { timeZone } = await unitOf(composition)
      const { body } = patternDescribedBy(composition.form, timeZone)
      return body && `/patterns/${await submitPattern(services, principal, composition, body)}?done=create`
    },

    async preview() {
      return null
    },

    async test() {
      throw new ServiceError('validation_error', 'A pattern is tried on its own page, once it is created.')
    },
  }

  async function unitOf({ unitId }: Composition) {
    return orNotFound(await findUnit(services.db, unitId), 'unit')
  }

  /** The conversation, or what is to be changed before it can be played. */
  async function check({ form, unitId }: Composition, timeZone: string) {
    const { body, issues } = patternDescribedBy(form, timeZone)
    if (!body) return { issues, played: null }
    try {
      const played = []
      for (const locale of locales)
        played.push({ locale, turns: await playDesign(services, unitId, body, locale) })
      return { issues: [] as FieldIssue[], played }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error
      return { issues: issuesInForm(issuesOf(error), addedTo(form, timeZone)), played: null }
    }
  }
}
