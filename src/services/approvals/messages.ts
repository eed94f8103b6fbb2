import { type CompiledContent, callsPerRecipient } from '../../channels/channel.ts'
import { type Channel, channels } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { MessageDetail } from '../../contract/messages/detail.ts'
import type { Preview } from '../../contract/messages/dry-run.ts'
import type { Pattern } from '../../contract/patterns/pattern.ts'
import type { Schedule } from '../../contract/schedules/schedule.ts'
import type { Db } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import type { Category } from '../../db/queries/catalogue/category.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import { findFrozen } from '../../db/queries/message/content.ts'
import { findPatternOf } from '../../db/queries/pattern/pattern.ts'
import { findScenarioVersion } from '../../db/queries/scenario/scenario.ts'
import { findSchedule } from '../../db/queries/schedule/schedule.ts'
import { findNames } from '../../db/queries/subject/subject.ts'
import type { Forecast } from '../../domain/audience/audience.ts'
import { isId } from '../../domain/lib/id.ts'
import { quietHoursEnd } from '../../domain/message/quiet-hours.ts'
import { firstWaveDue, holdEnd, sendTime } from '../../domain/message/times.ts'
import { actorOf, type PersonPrincipal, scheduleOfActor } from '../../domain/rights/principal.ts'
import { actorView } from '../actor.ts'
import { type ValueNames, valueNamesIn } from '../audience-value-names.ts'
import type { Services } from '../context.ts'
import { picturesOf } from '../media/pictures-in.ts'
import { approveMessage } from '../messages/approve.ts'
import { quotaNow } from '../messages/forecast.ts'
import { categoryOf } from '../messages/prepare.ts'
import { previewEverywhere } from '../messages/preview.ts'
import { getMessage, messagesOf } from '../messages/read.ts'
import { trackedAddress } from '../messages/track-links.ts'
import { rejectMessage } from '../messages/transitions.ts'
import { patternOf } from '../patterns/patterns.ts'
import { type DrawnConversation, playedPattern } from '../patterns/play.ts'
import { scheduleOf } from '../schedules/read.ts'
import { orNotFound } from '../unit-access.ts'
import { type Kind, noPattern, type Outcome, type ViewHead } from './kind.ts'
import { namedByButtons, namesOf } from './names.ts'

/** A message as its approver sees it. */
export type MessageView = ViewHead<'message'> & {
  detail: MessageDetail
  /** The schedule that made it; null: none did, or it was deleted. */
  schedule: Schedule | null
  /** The names of the groups and scenarios that its buttons name, by id. */
  names: Map<string, string>
  valueNames: ValueNames
  /** The people whom its audience names, the first of them; `name` null: it is not known; undefined: nobody has the uid. */
  people: { uid: string; name: string | null | undefined }[]
  /** Whether a person approves every message of its category. */
  manual: boolean
  /** When the send would begin if it were approved now, in UTC; null: at once. */
  startsAt: string | null
  /** The cost, and what is left now; in pushes, by channel. */
  quota: Forecast['quota']
  /** Provider calls for one person, by channel; 0 before its content is frozen, and on channels that it does not use. */
  calls: Record<Channel, number>
  /** What its buttons start, as far as patterns generated it; empty once it is decided. */
  invitations: Invitation[]
  /** What recipients see, by channel and language; empty where nothing could be sent as it is. */
  previews: Preview[]
}

/** A pattern that a button starts, and its conversation as it is played: of the version in force, or the newest. */
export type Invitation = { pattern: Pattern; played: DrawnConversation[] }

/** Messages that wait for an approver. */
export const messageKind: Kind<MessageView> = {
  async list(services, principal, ids) {
    const messages = await messagesOf(services, principal, ids)
    return messages
      .filter(({ state }) => state === 'submitted')
      .map(({ id, version, title, author, recipients, startsAt, allowed: { approve, reject } }) => {
        return {
          id,
          version,
          title,
          ...noPattern,
          author,
          recipients,
          startsAt,
          allowed: { approve, reject },
        }
      })
  },

  async view(services, principal, id) {
    const detail = await getMessage(services, principal, id)
    const { unitId, state, allowed } = detail
    const waits = state === 'submitted'
    const unit = orNotFound(await findUnit(services.db, unitId), 'unit')
    const now = Date.now()
    const category = await categoryOf(services.db, { category_id: detail.categoryId })
    const frozen = await findFrozen(services.db, id)
    const links = frozen ? (detail.clicks ? 'tracked' : 'direct') : category.links
    return {
      kind: 'message',
      id: detail.id,
      version: detail.version,
      title: detail.title,
      unit,
      category: detail.category.name,
      trackedAddress: trackedAddress(services, links),
      pictures: picturesOf(services),
      author: detail.author,
      since: waits ? (detail.snapshot?.at ?? detail.submittedAt) : null,
      allowed: { approve: allowed.approve, reject: allowed.reject },
      outcome: waits ? null : outcomeOf(detail),
      detail,
      schedule: await scheduleBehind(services.db, principal, detail),
      names: await namesOf(services.db, unitId, namedByButtons(detail.content?.messages ?? [])),
      valueNames: await valueNamesIn(services.db, [detail.audience]),
      people: waits ? await peopleOf(services.db, principal, detail) : [],
      manual: category.approvalRule === 'manual',
      startsAt: startOf(detail, category, unit.timeZone, now),
      quota: await quotaNow(services, detail, now),
      calls: callsOf(frozen?.compiled ?? {}),
      invitations: waits ? await invitationsOf(services, principal, detail) : [],
      previews: await previewsOf(services, principal, detail),
    }
  },

  approve: (services, principal, id, version) => approveMessage(services, principal, id, { version }),
  reject: (services, principal, id, rejection) => rejectMessage(services, principal, id, rejection),
}

/** The named people of a message, for who may read them; that they are read is audited. */
async function peopleOf(
  db: Db,
  principal: PersonPrincipal,
  { id, unitId, audience }: MessageDetail,
): Promise<MessageView['people']> {
  const uids = audience.kind === 'individual' ? (audience.uids ?? []).slice(0, namedOnPage) : []
  if (uids.length === 0) return []
  const names = await findNames(db, uids)
  const about = { unitId, objectKind: 'message', objectId: id } as const
  const details = { what: 'audience' }
  await insertAudit(db, { ...about, actor: actorOf(principal), action: 'read', details })
  return uids.map((uid) => ({ uid, name: names.get(uid) }))
}

/** The most named people on a page; of the others it says how many they are. */
const namedOnPage = 200

/** Patterns that a page plays, at most. */
const playedOnPage = 3

/** What the buttons start. */
async function invitationsOf(
  services: Services,
  principal: PersonPrincipal,
  { content, unitId }: MessageDetail,
): Promise<Invitation[]> {
  const { scenarios } = namedByButtons(content?.messages ?? [])
  const invitations: Invitation[] = []
  for (const scenarioId of [...new Set(scenarios.filter(isId))].slice(0, playedOnPage)) {
    const row = await findPatternOf(services.db, scenarioId)
    if (row?.unitId !== unitId) continue
    const version = await findScenarioVersion(services.db, scenarioId, row.inForce ?? row.version)
    if (!version) continue
    const pattern = patternOf(row)
    invitations.push({ pattern, played: await playedPattern(services, principal, pattern, version) })
  }
  return invitations
}

/** The schedule that made a message, as it is now. */
async function scheduleBehind(
  db: Db,
  principal: PersonPrincipal,
  { author, unitId }: MessageDetail,
): Promise<Schedule | null> {
  const id = scheduleOfActor(author.id)
  const row = id === null ? undefined : await findSchedule(db, id, [unitId])
  return row ? scheduleOf(row, principal) : null
}

/** The decision that ended the wait, or whatever else changed the state last. Its time ends a message before its run does. */
function outcomeOf({ state, timeline, shortfall, expiresAt }: MessageDetail): Outcome {
  if (state === 'expired') return { state, by: actorView('system:run', null), at: expiresAt, shortfall }
  const decisive = ['approve', 'reject', 'withdraw', 'cancel', 'expire', 'stop', 'create']
  const last = timeline.findLast(({ action }) => decisive.includes(action))
  if (state === 'draft' && last?.action === 'withdraw')
    return { state: 'withdrawn', by: last.by, at: last.at }
  return { state, by: last?.by ?? null, at: last?.at ?? null, reason: last?.reason, shortfall }
}

/** If it is approved now: after the category's hold, and after quiet hours. */
function startOf(
  { scheduleAt, expiresAt }: MessageDetail,
  { quietHours, holdSeconds }: Category,
  timeZone: string,
  now: number,
): string | null {
  const timeIn = (at: string | null) => (at === null ? null : Date.parse(at))
  const holdUntil = holdEnd(holdSeconds, { expiresAt: timeIn(expiresAt) }, now)
  const at = sendTime({ scheduleAt: firstWaveDue({ scheduleAt: timeIn(scheduleAt), holdUntil }) }, now)
  const begins = (quietHours && quietHoursEnd({ hours: quietHours, timeZone }, at)) ?? at
  return begins > now ? new Date(begins).toISOString() : null
}

function callsOf(compiled: CompiledContent): Record<Channel, number> {
  const calls = channels.map((channel) => [channel, callsPerRecipient(compiled, channel)] as const)
  return Object.fromEntries(calls) as Record<Channel, number>
}

/** What recipients see on each channel of its plan, in each language. Empty where nothing could be sent as it is. */
async function previewsOf(
  services: Services,
  principal: PersonPrincipal,
  { id, content }: MessageDetail,
): Promise<Preview[]> {
  if (content === null) return []
  try {
    return await previewEverywhere(services, principal, id)
  } catch (error) {
    if (error instanceof ServiceError && unsendable.includes(error.code)) return []
    throw error
  }
}

/** Of a content that can only be shown as it was given. */
const unsendable: readonly string[] = ['missing_variable', 'content_violation', 'not_configured']
