import { RetryLater } from '../../contract/errors.ts'
import type { Trx } from '../../db/connect.ts'
import { findOpeningScenario, findStarted } from '../../db/queries/scenario-run/opening.ts'
import type { LinkSubject } from '../../db/queries/subject/preference.ts'
import { withSavepoint } from '../../db/savepoint.ts'
import type { Opening as ChosenAtStart } from '../../db/tables/scenario.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { patternValues } from '../../domain/pattern/pattern-values.ts'
import type { NodeMessages } from '../../domain/scenario/deliverable-channels.ts'
import { closedOpening, type Opening } from '../../domain/scenario/opening.ts'
import { optionsOf } from '../../domain/scenario/question.ts'
import { defaultsOf } from '../../domain/scenario/start-variables.ts'
import type { Services } from '../context.ts'
import { recordTap } from '../recipients/taps.ts'
import { startByButton } from '../scenario-runs/start-by-person.ts'
import { wakeRuns } from '../wake-scenario-runs.ts'
import { optionAt, type PageForm, textIn } from './answer-page.ts'
import type { PageAddress } from './read-page.ts'

/** How the conversation of a button begins on its page. `takesText`: what it asks takes a text. */
export type OpeningView = Opening & { takesText: boolean }

type Parts = Pick<Services, 'db' | 'rendering'>

/**
 * How a scenario begins for whoever opens a link to it: the same for everybody, since links are forwarded. Null: it accepts
 * no runs now.
 */
export async function readOpening(
  { db, rendering }: Parts,
  { unitId, starts }: { unitId: string; starts: string },
): Promise<OpeningView | null> {
  const scenarioId = idOrNull(starts)
  const scenario = scenarioId === null ? undefined : await findOpeningScenario(db, { scenarioId, unitId })
  if (!scenario) return null
  const { content, timeZone, pattern, approved } = scenario
  if (!approved) return { ...closedOpening, takesText: false }
  const now = Date.now()
  const opening = await rendering
    .run(unitId, 'opening', {
      graph: content,
      values: { variables: defaultsOf(content.variables ?? []), answers: {}, lookupError: null },
      context: { person: nobody, subject: '', pattern: pattern && patternValues(pattern, now) },
      now,
      timeZone,
    })
    .catch(closedWhenBusy)
  const { asks } = opening
  return {
    ...opening,
    takesText: content.edges.some(({ from, when }) => from === asks && when?.kind === 'text'),
  }
}

const nobody = { displayName: null, locale: 'zh-TW', stage: 'visitor' }

/** A unit that has used up its steps of rendering gets a page that only starts. */
function closedWhenBusy(error: unknown): Opening {
  if (error instanceof RetryLater) return closedOpening
  throw error
}

/**
 * Starts the scenario of a button, and keeps what was chosen on its page until the run asks that. Pressed again within the
 * minute, it begins nothing new. Null: the scenario takes nobody now, and nothing has changed.
 */
export async function startOnPage(
  services: Parts & Pick<Services, 'wake'>,
  { messageId, unitId, subjectId, frozen }: LinkSubject,
  { starts, n, o }: { starts: string; n: number; o: string },
  form: PageForm,
): Promise<PageAddress | null> {
  const view = await readOpening(services, { unitId, starts })
  const scenarioId = idOrNull(starts)
  if (!view || scenarioId === null) return null
  const pressed = { messageId, unitId, subjectId, frozen: frozen ?? [], channel: 'email', n, o } as const
  const page = { opening: chosenIn(view, form) }
  const begun = await services.db.transaction().execute((trx) =>
    withSavepoint(trx, async () => {
      await recordTap(trx, { ...pressed, at: null })
      const wakes = await startByButton(trx, { unitId, subjectId, webhookEventId: null, page }, starts)
      return wakes && { wakes, address: await addressOf(trx, { scenarioId, subjectId }, wakes.length > 0) }
    }),
  )
  if (!begun) return null
  wakeRuns(services, begun.wakes)
  return begun.address
}

/** Who waits for a place reads again that they do; everybody else what the start is followed by. */
async function addressOf(
  trx: Trx,
  key: { scenarioId: string; subjectId: string },
  isNew: boolean,
): Promise<PageAddress | null> {
  const started = await findStarted(trx, key)
  if (!started) return null
  const { runId, turns } = started
  return { runId, subjectId: key.subjectId, after: isNew ? Math.max(0, turns - 1) : 0 }
}

/** What was chosen at the question that the page shows; null: nothing that it takes. */
export function chosenIn({ says, asks, takesText }: OpeningView, form: PageForm): ChosenAtStart | null {
  if (asks === null) return null
  const chosen = optionAt(says, form)
  if (chosen?.node === asks && chosen.option.answers !== undefined) {
    const { answers: optionId, data = null } = chosen.option
    const isOption = messagesAt(says, asks)
      .flatMap(optionsOf)
      .some(({ id }) => id === optionId)
    return isOption ? { node: asks, optionId, text: null, data } : null
  }
  const text = takesText ? textIn(form) : null
  return text === null ? null : { node: asks, optionId: null, text, data: null }
}

function messagesAt(says: readonly NodeMessages[], node: string) {
  return says.flatMap((saying) => (saying.node === node ? saying.messages : []))
}
