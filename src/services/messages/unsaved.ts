import { randomUUID } from 'node:crypto'
import { callsPerRecipient } from '../../channels/channel.ts'
import type { Channel } from '../../contract/enums.ts'
import type { CreateMessage } from '../../contract/messages/create.ts'
import type { Preview, PreviewMessage } from '../../contract/messages/dry-run.ts'
import { findReferences } from '../../db/queries/message/references.ts'
import type { Forecast, Violation } from '../../domain/audience/audience.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { withCountLimit } from '../count-limit.ts'
import { unitOf } from '../unit-access.ts'
import { checkBody, type DraftWithSources } from './check-body.ts'
import { viewCount } from './count-view.ts'
import type { ForecastRow } from './forecast.ts'
import { noCategory, noCategoryId } from './no-category.ts'
import {
  type DraftRow,
  draftFaults,
  forecastDraft,
  forecastRendered,
  type RenderedSources,
  renderDraft,
} from './prepare.ts'
import { assertChannelInPlan, isReadable, previewOf, previewsOf } from './preview.ts'
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

/** What a body would become, as far as that can be said. `calls`: of the provider, to one person. */
export type Drawn = {
  previews: Preview[]
  violations: Violation[]
  warnings: Violation[]
  calls: Partial<Record<Channel, number>>
  /** null: nobody was counted. */
  forecast: Forecast | null
}

/**
 * What recipients would see on every channel in each language, and what is wrong with it; with `counts`, whom it would reach
 * as well, of the same reading. A body of `noCategoryId` is drawn as it would be on every channel.
 * @throws ServiceError what `createMessage` throws about a body, and `dryRunUnsaved`
 */
export async function drawUnsaved(
  services: Services,
  principal: Principal,
  body: CreateMessage,
  { counts }: { counts: boolean },
): Promise<Drawn> {
  const { row, sources, now } = await unsavedOf(services, principal, body)
  const { channels } = row.channel_plan
  const rendered = await renderDraft(services, services.db, row, channels, sources)
  const { violations, warnings } = draftFaults(row, rendered, now)
  const count = () => forecastRendered(services, row, now, rendered)
  const counted = counts && (await withCountLimit(row.unit_id, count))
  return {
    previews: isReadable(rendered) ? previewsOf(services, row, rendered) : [],
    violations,
    warnings,
    calls: Object.fromEntries(
      channels.map((channel) => [channel, callsPerRecipient(rendered.compiled, channel)]),
    ),
    forecast: counted ? await viewCount(services.db, principal, row, counted) : null,
  }
}

/** The rights and checks of create, in its order. */
async function unsavedOf(services: Services, principal: Principal, body: CreateMessage): Promise<Unsaved> {
  const unitId = unitOf(principal, body.unitId)
  assertMayAsk(principal, 'create', unitId)
  const references = await findReferences(services.db, { ...body, unitId })
  const category = body.categoryId === noCategoryId ? noCategory(services) : references.category
  const lookups = { ...references, category }
  return unsavedFrom(unitId, await checkBody(services, principal, unitId, body, { lookups }))
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
