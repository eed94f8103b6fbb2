import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallContent, Compiled } from '../../channels/channel.ts'
import { Cleared } from '../../channels/cleared.ts'
import { type CallToOne, type Sender, sendToOne } from '../../channels/connection.ts'
import type { Channel } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { TestSend, TestSent } from '../../contract/messages/dry-run.ts'
import { broken } from '../../contract/rules.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findOwnAddresses } from '../../db/queries/identity/person.ts'
import { findSendingUnit } from '../../db/queries/identity/unit.ts'
import { findRequest } from '../../db/queries/message/content.ts'
import type { MessageRow } from '../../db/tables.ts'
import type { Outcome } from '../../domain/message/outcome.ts'
import { actorOf, type PersonPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { pictureBase } from '../media/pictures-in.ts'
import { validationError } from '../validation-error.ts'
import { calendarOffer } from './calendar.ts'
import { categoryOf, compiledText, firstWaveOf } from './prepare.ts'
import { assertChannelInPlan } from './preview.ts'
import { readableMessage } from './read.ts'

/** How long a caller waits for the provider (ms). */
const timeoutMs = 10_000
/** Maximum test messages in flight in this process: a provider that hangs must not hold every request. */
const atOnce = 4
let inFlight = 0

/**
 * Sends a message to the caller alone, in their language, marked as a test. It uses no quota of the unit, and is
 * audited before it is sent.
 * @throws ServiceError not_found, forbidden, validation_error if no address is bound to the caller, missing_variable,
 *   content_violation, not_configured; provider if the provider rejects it, retryable if a retry may succeed
 */
export async function testSend(
  services: Services,
  principal: PersonPrincipal,
  id: string,
  body: TestSend,
): Promise<TestSent> {
  const { message } = await readableMessage(services.db, principal, id)
  const channel = body.channel ?? message.channel_plan.channels[0]!
  assertChannelInPlan(message, channel)
  await sendOn(services, principal, message, channel)
  return { sent: true, channel }
}

/** What became of a test on a channel. `error`: why it was not sent; null: it was. */
export type TestOutcome = { channel: Channel; error: ServiceError | null }

/**
 * Sends a message to the caller alone on every channel of its plan.
 * @throws ServiceError not_found, forbidden, and what `testSend` throws, if no channel took it
 */
export async function testSendEverywhere(
  services: Services,
  principal: PersonPrincipal,
  id: string,
): Promise<TestOutcome[]> {
  const { message } = await readableMessage(services.db, principal, id)
  const outcomes: TestOutcome[] = []
  for (const channel of message.channel_plan.channels) {
    const error = await sendOn(services, principal, message, channel).then(() => null, serviceErrorOf)
    outcomes.push({ channel, error })
  }
  const [first, ...others] = outcomes
  if (first?.error && others.every(({ error }) => error !== null)) throw first.error
  return outcomes
}

function serviceErrorOf(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown
  throw thrown
}

async function sendOn<C extends Channel>(
  services: Services,
  principal: PersonPrincipal,
  message: MessageRow,
  channel: C,
): Promise<void> {
  const sender: Sender<C> | undefined = services.senders?.[channel]
  const adapter = services.channels[channel]
  if (!sender || !adapter)
    throw new ServiceError(
      'not_configured',
      `The channel ${channel} is not configured. Ask the operator to set it up.`,
    )
  const { id } = message
  const { personId } = principal
  const { address, language } = await ownAddress(services, personId, channel)
  const { parts } = (await testContent(services, message, channel))[language]
  const calls: CallContent[C][] = adapter.callsOf(adapter.withoutLinks(parts, services.publicUrl ?? ''))
  const retryKeys = calls.map(() => randomUUID())
  await insertAudit(services.db, {
    unitId: message.unit_id,
    actor: actorOf(principal),
    action: 'test_send',
    objectKind: 'message',
    objectId: id,
    details: { channel, retryKeys },
  })
  // Content that is not approved yet may be sent to the caller's own address alone.
  const cleared = calls.map((content) => Cleared.byMember(content, { by: actorOf(principal), to: address }))
  const call = { to: { subjectId: personId, address }, messageId: id, waveId: randomUUID(), test: true }
  assertSent(await bounded(() => sendAll(sender, cleared, { ...call, retryKeys })))
}

/** Makes the calls of a test one after another, until one is not accepted. */
async function sendAll<C extends Channel>(
  sender: Sender<C>,
  calls: Cleared<CallContent[C]>[],
  { retryKeys, ...call }: Omit<CallToOne<C>, 'content' | 'retryKey'> & { retryKeys: string[] },
): Promise<Outcome> {
  let outcome: Outcome = { kind: 'accepted' }
  for (const [n, content] of calls.entries()) {
    outcome = await sendToOne(sender, { ...call, content, retryKey: retryKeys[n]! })
    if (outcome.kind !== 'accepted') break
  }
  return outcome
}

async function ownAddress({ db }: Services, personId: string, channel: Channel) {
  const { language, ...addresses } = await findOwnAddresses(db, personId)
  const address = addresses[channel]
  if (address !== null) return { language, address }
  throw validationError([{ path: 'channel', ...broken('no_own_address', { of: 'channel' }) }])
}

/** Rejects a caller while too many sends are in flight; a send that takes too long has an unknown outcome. */
async function bounded(send: () => Promise<Outcome>): Promise<Outcome> {
  if (inFlight >= atOnce)
    throw new ServiceError('retryable', 'Too many test messages are in flight. Try again in a moment.')
  inFlight += 1
  const sending = send().finally(() => {
    inFlight -= 1
  })
  const late: Outcome = { kind: 'unavailable', code: 'timeout', certain: false }
  const waited = new AbortController()
  const timer = sleep(timeoutMs, late, { signal: waited.signal }).catch(() => late)
  return Promise.race([sending, timer]).finally(() => waited.abort())
}

function assertSent(outcome: Outcome): void {
  switch (outcome.kind) {
    case 'accepted':
      return
    case 'refused':
      throw new ServiceError(
        'provider',
        `The provider rejected the test message (${outcome.code}). Check your address and the content.`,
        { code: outcome.code },
      )
    case 'misconfigured':
      throw new ServiceError(
        'provider',
        `The provider rejected this installation (${outcome.code}). Ask its operator to check the account.`,
      )
    case 'quota':
      throw new ServiceError(
        'provider',
        "The provider's monthly limit is exhausted. Ask the operator to raise it.",
      )
    default:
      throw new ServiceError(
        'retryable',
        'The provider is unavailable or limits requests. Try again in a moment.',
      )
  }
}

const mark: CanonicalMessage = {
  kind: 'text',
  text: { 'zh-TW': '【測試】這是測試訊息，只會傳送給您。', en: '[Test] This message is sent only to you.' },
}

/** Names no message, so that a tap in a test is not recorded as an answer. */
const testOrigin = { m: '00000000-0000-0000-0000-000000000000' }

/**
 * Compiles a message for a channel again, with a test mark in its subject and before its content.
 * @throws ServiceError content_violation, and as `compiledText` does
 */
async function testContent<C extends Channel>(
  services: Services,
  message: MessageRow,
  channel: C,
): Promise<Compiled<C>['locales']> {
  const { messages, violations } = await compiledText(services, message, [channel])
  if (violations.length > 0)
    throw new ServiceError(
      'content_violation',
      `The channel ${channel} cannot carry the content; see details. Edit the draft.`,
      {
        violations,
      },
    )
  const category = await categoryOf(services.db, message)
  const unit = await findSendingUnit(services.db, message.unit_id)
  const { calendar } = await findRequest(services.db, message.id)
  const content = {
    messages: [mark, ...messages],
    wave: firstWaveOf(message, unit),
    subject: marked(message.title),
    unit,
    categoryId: category.id,
    category: category.name,
    unsubscribe: category.layer !== 'mandatory',
    ...calendarOffer(services, { messageId: message.id, unit, title: message.title }, calendar),
    ...(services.media && { pictures: pictureBase(services.media) }),
  }
  return services.channels[channel]!.compile(content, testOrigin).locales
}

function marked({ 'zh-TW': zh, en = zh }: LocalisedText): LocalisedText {
  return { 'zh-TW': `【測試】${zh}`, en: `[Test] ${en}` }
}
