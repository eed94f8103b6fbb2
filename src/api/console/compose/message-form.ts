import { textLimitsOf } from '../../../channels/text-limits.ts'
import type { Locale } from '../../../contract/enums.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { Members } from '../answers/organisers.ts'
import { previewSection } from '../facts/previews.ts'
import { numberOf } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { type Check, checkSection, isComplete, numbersSection } from './check.ts'
import { composeFrame, type FrameProps, formState, listedIssues, submitButton } from './frame.ts'
import { organisersSection } from './organisers.ts'
import { type OwnAddresses, testButton, testNotice } from './test-result.ts'
import { type Sources, whatSection } from './what.ts'
import { whenSection } from './when.ts'
import { type Choices, whomSection } from './whom.ts'
import { composeWords } from './words.ts'

type MessageFormProps = FrameProps & {
  sources: Sources
  choices: Choices
  members: Members
  check: Check
  own: OwnAddresses
}

/** The page on which a message is written, and beside it what recipients would see. */
export function messageForm(locale: Locale, props: MessageFormProps): Page {
  const words = composeWords[locale]
  const { unit, check } = props
  const form = { ...formState(locale, props, check.issues), textLimits: textLimitsOf(check.channels) }
  return composeFrame(locale, props, {
    title: words.title,
    form,
    sections: [
      whatSection(form, props.sources),
      whomSection(form, props.choices),
      whenSection(form, unit),
      organisersSection(form, props.members),
    ],
    check: checkSection(form, check.refused, listedIssues(props, check.issues)),
    numbers: { of: check.numbersOf, lines: numbersSection(form, unit, check) },
    aside: testButton(locale, check.channels, props.own),
    submit: isComplete(check) ? submitButton(locale, props, submitText(locale, check)) : html``,
    preview: previewPane(locale, props),
    notice: testNotice(locale, props.tested, props.own),
  })
}

/** What recipients would see of what is written. */
function previewPane(locale: Locale, { check, pictures, composition: { id } }: MessageFormProps): Markup {
  const { seen: title, nothingSeen } = composeWords[locale]
  if (check.previews.length === 0) return html`<h2>${title}</h2>\n<p class="quiet">${nothingSeen}</p>\n`
  const frames = { path: `/compose/${id}/preview` }
  const drawn = previewSection(locale, { previews: check.previews, pictures, frames })
  return html`${drawn.phones ?? html``}${drawn.frames}`
}

/** How many people it is about. */
function submitText(locale: Locale, { forecast }: Check): string {
  return composeWords[locale].submit(kitWords[locale].people(numberOf(locale, forecast!.recipients.total)))
}
