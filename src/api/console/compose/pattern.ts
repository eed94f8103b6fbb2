import { limits } from '../../../contract/limits.ts'
import { listMembers } from '../../../db/queries/identity/unit.ts'
import { listCategories } from '../../../services/catalogue/categories.ts'
import { submitPattern } from '../../../services/compositions/submit-pattern.ts'
import type { Services } from '../../../services/context.ts'
import { picturesOf } from '../../../services/media/pictures-in.ts'
import { getPattern } from '../../../services/patterns/patterns.ts'
import { playDesign } from '../../../services/patterns/play.ts'
import { type Composer, type DraftForm, writerOf } from './composer.ts'
import { drawWithStandIns } from './draw.ts'
import { addedTo, issuesInForm, parsePatternForm, patternInput, readPattern } from './form/pattern-body.ts'
import { organisersOf } from './organisers.ts'
import { patternForm } from './pattern-form.ts'

/** A registration, a survey or an rsvp, as it is written in a browser. */
export function patternComposer(services: Services): Composer {
  return {
    async page(reader, draft, notices) {
      const { principal, locale } = reader
      const { patternId } = draft.composition
      return patternForm(locale, {
        ...{ ...notices, ...draft, ...writerOf(reader) },
        categories: (await listCategories(services, { limit: limits.pageSizeMax })).items,
        ...(await check(draft)),
        members: await listMembers(services.db, draft.unit.id),
        changed: patternId === null ? null : await getPattern(services, principal, patternId),
        pictures: picturesOf(services),
      })
    },

    async submit({ principal }, { composition, unit }) {
      const { body } = parsePatternForm(composition.form, unit.timeZone)
      const organisers = organisersOf(composition.form)
      return body && submitPattern(services, principal, composition, { body, organisers })
    },

    addressOf: (id) => `/patterns/${id}?done=create`,
  }

  /** The conversation, with stand-ins for what is missing, and all that is to be changed. */
  async function check({ composition: { form }, unit }: DraftForm) {
    const { result: played, issues } = await drawWithStandIns(patternInput(form, unit.timeZone), {
      read: (input) => readPattern(input, form),
      draw: (body) => playDesign(services, unit, body),
    })
    return { played, issues: issuesInForm(issues, addedTo(form, unit.timeZone)) }
  }
}
