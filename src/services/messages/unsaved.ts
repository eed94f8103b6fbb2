import { randomUUID } from 'node:crypto'
import type { CreateMessage } from '../../contract/messages/create.ts'
import type { Preview, PreviewMessage } from '../../contract/messages/dry-run.ts'
import type { Forecast } from '../../domain/audience/audience.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { withCountLimit } from '../count-limit.ts'
import { unitOf } from '../unit-access.ts'
import { checkBody, type DraftWithSources } from './check-body.ts'
import { viewCount } from './count-view.ts'
import type { ForecastRow } from './forecast.ts'
import {
  type DraftRow,
  forecastDraft,
  forecastRendered,
  type RenderedSources,
  renderDraft,
} from './prepare.ts'
import { assertChannelInPlan, previewOf, previewsOf } from './preview.ts'
import { assertMayAsk } from './rights.ts'

/** What `createMessage` would write of a body, and what it is rendered from. `now` in ms since the epoch. */
type Unsaved = {
  row: DraftRow & ForecastRow
  sources: RenderedSources
  now: number
}

/**
 * Forecasts a message that is not stored: the dry-run of what create would make of this body.
 * @throws ServiceError what `createMessage` throws about a body, not_configured, unavailable if the unit has too many
 *   counts running
 */
export async function dryRunUnsaved(
  services: Services,
  principal: Principal,
  body: CreateMessage,
): Promise<Forecast> {
  const { row, sources, now } = await unsavedOf(services, principal, body)
  const forecast = await withCountLimit(row.unit_id, () => forecastDraft(services, row, now, sources))
  return viewCount(services.db, principal, row, forecast)
}

/**
 * The preview of what create would make of this body.
 * @throws ServiceError what `createMessage` throws about a body, and what `previewMessage` throws
 */
export async function previewUnsaved(
  services: Services,
  principal: Principal,
  body: CreateMessage,
  options: PreviewMessage,
): Promise<Preview> {
  const { row, sources } = await unsavedOf(services, principal, body)
  assertChannelInPlan(row, options.channel)
  return previewOf(
    services,
    row,
    await renderDraft(services, services.db, row, [options.channel], sources),
    options,
  )
}

/**
 * Both of one reading: the forecast, and, where nothing is against it, the previews on every channel of its plan in each
 * language.
 * @throws ServiceError as `dryRunUnsaved` and `previewUnsaved` do
 */
export async function checkUnsaved(
  services: Services,
  principal: Principal,
  body: CreateMessage,
): Promise<{ forecast: Forecast; previews: Preview[] }> {
  const { row, sources, now } = await unsavedOf(services, principal, body)
  const { channels } = row.channel_plan
  const rendered = await renderDraft(services, services.db, row, channels, sources)
  const count = () => forecastRendered(services, row, now, rendered)
  const counted = await withCountLimit(row.unit_id, count)
  const forecast = await viewCount(services.db, principal, row, counted)
  if (forecast.violations.length > 0) return { forecast, previews: [] }
  return { forecast, previews: previewsOf(services, row, rendered) }
}

/** The rights and checks of create, in its order. */
async function unsavedOf(services: Services, principal: Principal, body: CreateMessage): Promise<Unsaved> {
  const unitId = unitOf(principal, body.unitId)
  assertMayAsk(principal, 'create', unitId)
  return unsavedFrom(unitId, await checkBody(services, principal, unitId, body))
}

/** What would be written of a draft. */
export function unsavedFrom(unitId: string, { draft, sources, now }: DraftWithSources): Unsaved {
  const dateOf = (at: string | null) => (at === null ? null : new Date(at))
  return {
    row: {
      id: randomUUID(), // in its buttons and links, which lead nowhere
      unit_id: unitId,
      category_id: draft.categoryId,
      template_id: draft.templateId,
      topic_id: draft.topicId,
      audience: draft.audience,
      channel_plan: draft.channelPlan,
      schedule_at: dateOf(draft.scheduleAt),
      expires_at: dateOf(draft.expiresAt),
      remind_at: dateOf(draft.remindAt),
      remind_to: draft.remindTo,
      pace: draft.pace,
    },
    sources,
    now: now.getTime(),
  }
}
