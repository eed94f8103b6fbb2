import { sql } from 'kysely'
import type { ApprovalRule, Layer, LinkMode, UnknownPolicy } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import { defaultAcknowledgement } from '../../../domain/content/acknowledgement.ts'
import type { ChannelPlan } from '../../../domain/content/channel-plan.ts'
import type { QuietPeriod } from '../../../domain/message/quiet-hours.ts'
import type { Db, Trx } from '../../connect.ts'
import type { RowPage } from '../../rows.ts'

export type Category = {
  id: string
  name: LocalisedText
  layer: Layer
  consentScope: string | null
  channelPlan: ChannelPlan
  approvalRule: ApprovalRule
  autoMaxRecipients: number
  quietHours: { from: string; to: string } | null
  frequencyCap: { messages: number; days: number } | null
  onUnknown: UnknownPolicy
  acknowledgement: LocalisedText | null
  holdSeconds: number
  links: LinkMode
  enabled: boolean
}

function selectCategory(db: Db) {
  return db
    .selectFrom('category')
    .select(['id', 'name', 'layer', 'enabled', 'consent_scope as consentScope'])
    .select(['channel_plan as channelPlan', 'approval_rule as approvalRule'])
    .select(['auto_max_recipients as autoMaxRecipients', 'quiet_hours as quietHours'])
    .select(['frequency_cap as frequencyCap', 'on_unknown as onUnknown'])
    .select(['acknowledgement', 'links'])
    .select('hold_seconds as holdSeconds')
}

/** The same of the row `category`, as part of another statement. */
export const categoryFields = sql<Category>`
  json_build_object('id', category.id, 'name', name, 'layer', layer, 'enabled', enabled, 'consentScope', consent_scope,
    'channelPlan', channel_plan, 'approvalRule', approval_rule, 'autoMaxRecipients', auto_max_recipients,
    'quietHours', quiet_hours, 'frequencyCap', frequency_cap, 'onUnknown', on_unknown,
    'acknowledgement', acknowledgement, 'links', links, 'holdSeconds', hold_seconds)`

/** A category, enabled or not. */
export async function findCategory(db: Db, id: string): Promise<Category | undefined> {
  return selectCategory(db).where('id', '=', id).executeTakeFirst()
}

/** Which of these ids are categories, enabled or not. */
export async function findKnown(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db.selectFrom('category').select('id').where('id', 'in', ids).execute()
  return rows.map(({ id }) => id)
}

/** Which of these ids are mandatory categories. */
export async function findMandatory(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('category')
    .select('id')
    .where('id', 'in', ids)
    .where('layer', '=', 'mandatory')
    .execute()
  return rows.map(({ id }) => id)
}

/** The category, locked until the transaction ends: a change is computed from the current row. */
export async function lockCategory(trx: Trx, id: string): Promise<Category | undefined> {
  return selectCategory(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Categories by id, after the id `after`; only enabled ones unless `all`. */
export async function listCategories(db: Db, page: RowPage & { all?: boolean }): Promise<Category[]> {
  return selectCategory(db)
    .$if(!page.all, (query) => query.where('enabled', '=', true))
    .$if(page.after !== null, (query) => query.where('id', '>', page.after!))
    .orderBy('id')
    .limit(page.limit)
    .execute()
}

/** Creates a category. `by`: who writes its words. Returns false, and changes nothing, if the id exists. */
export async function insertCategory(
  db: Db,
  category: Pick<Category, 'id' | 'name' | 'layer' | 'channelPlan'> & Partial<Category>,
  by: string | null = null,
): Promise<boolean> {
  const row = await db
    .insertInto('category')
    .values({
      id: category.id,
      name: JSON.stringify(category.name),
      layer: category.layer,
      consent_scope: category.consentScope ?? null,
      channel_plan: JSON.stringify(category.channelPlan),
      approval_rule: category.approvalRule ?? 'manual',
      auto_max_recipients: category.autoMaxRecipients ?? 0,
      quiet_hours: category.quietHours ? JSON.stringify(category.quietHours) : null,
      frequency_cap: category.frequencyCap ? JSON.stringify(category.frequencyCap) : null,
      on_unknown: category.onUnknown ?? 'keep',
      acknowledgement: jsonOrNull(
        category.acknowledgement === undefined ? defaultAcknowledgement : category.acknowledgement,
      ),
      acknowledgement_by: category.acknowledgement ? by : null,
      hold_seconds: category.holdSeconds ?? 0,
      links: category.links ?? 'direct',
      enabled: category.enabled ?? true,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

function jsonOrNull(value: object | null): string | null {
  return value && JSON.stringify(value)
}

/** Writes all fields of a category. `by`: who answers for its words, if they are other ones. Requires `lockCategory`. */
export async function updateCategory(trx: Trx, category: Category, by: string): Promise<void> {
  const acknowledgement = jsonOrNull(category.acknowledgement)
  await trx
    .updateTable('category')
    .set({
      name: JSON.stringify(category.name),
      layer: category.layer,
      consent_scope: category.consentScope,
      channel_plan: JSON.stringify(category.channelPlan),
      approval_rule: category.approvalRule,
      auto_max_recipients: category.autoMaxRecipients,
      quiet_hours: category.quietHours && JSON.stringify(category.quietHours),
      frequency_cap: category.frequencyCap && JSON.stringify(category.frequencyCap),
      on_unknown: category.onUnknown,
      acknowledgement,
      acknowledgement_by: sql<
        string | null
      >`case when acknowledgement is distinct from ${acknowledgement}::jsonb then ${by} else acknowledgement_by end`,
      hold_seconds: category.holdSeconds,
      links: category.links,
      enabled: category.enabled,
    })
    .where('id', '=', category.id)
    .execute()
}

/** The quiet hours of a category for messages of a unit; null: none. */
export async function findQuietPeriod(
  db: Db,
  { unitId, categoryId }: { unitId: string; categoryId: string },
): Promise<QuietPeriod | null> {
  const row = await db
    .selectFrom('category as c')
    .innerJoin('unit as u', (join) => join.on('u.id', '=', unitId))
    .select(quietPeriodOf.as('quiet'))
    .where('c.id', '=', categoryId)
    .executeTakeFirst()
  return row?.quiet ?? null
}

/** The quiet hours of a category (`c`) in the time zone of a unit (`u`); null if it has none or is mandatory. */
export const quietPeriodOf = sql<QuietPeriod | null>`
  case when c.quiet_hours is not null and c.layer <> 'mandatory'
    then jsonb_build_object('hours', c.quiet_hours, 'timeZone', u.time_zone) end`
