import type { FastifyInstance } from 'fastify'
import { authorNotices, isOneOf, locales } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { EditSession } from '../../contract/identity/sign-in.ts'
import { actorOf } from '../../domain/rights/principal.ts'
import { editPerson } from '../../services/admin/persons.ts'
import type { Services } from '../../services/context.ts'
import { mailSettingsPath } from '../../services/notices/button-mail.ts'
import { cookiesFor } from '../auth/cookies.ts'
import { formOf } from '../console/kit/form.ts'
import { signedInPages } from '../console/kit/signed-in-pages.ts'
import { mailSettingsPage } from './mail-settings-page.ts'

/** The page on which people choose their language, and switch the mails to them on and off. */
export function mailSettingsRoutes(app: FastifyInstance, services: Services): void {
  const { publicUrl = '' } = services
  signedInPages(app, services, 'mailSettings', ({ get, post }) => {
    get(mailSettingsPath, async ({ session, locale }) => mailSettingsPage(locale, session))

    post(mailSettingsPath, async ({ principal, session, locale }, request, reply) => {
      const choices = choicesIn(formOf(request))
      const { language, notices, authorNotices, handoffNotices } = await editPerson(
        services.db,
        actorOf(principal),
        principal.personId,
        choices,
      )
      const chosen = { language, notices, authorNotices, handoffNotices }
      // Another language is meant for the pages too, whatever was chosen in the menu.
      const isOther = language !== session.language
      if (isOther) cookiesFor(publicUrl).clearLanguage(reply)
      return mailSettingsPage(isOther ? language : locale, { ...session, ...chosen }, 'saved')
    })
  })
}

/**
 * What is chosen among what the page showed; what it did not show stays.
 * @throws ServiceError validation_error for a language that does not exist
 */
function choicesIn(form: URLSearchParams): EditSession {
  const groups = form.getAll('shown')
  const on = form.getAll('on')
  const language = form.get('language')
  if (language !== null && !isOneOf(locales, language))
    throw new ServiceError('validation_error', 'Choose one of the languages of the page.')
  return {
    ...(language !== null && { language }),
    ...(groups.includes('notices') && { notices: on.includes('notices') }),
    ...(groups.includes('handoffNotices') && { handoffNotices: on.includes('handoffNotices') }),
    ...(groups.includes('authorNotices') && {
      authorNotices: authorNotices.filter((what) => on.includes(what)),
    }),
  }
}
