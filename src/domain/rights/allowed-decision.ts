import { roleRefusal } from './permission.ts'
import { actorOf, type Principal } from './principal.ts'
import { type Refusal, type Verdict, verdictOf } from './refusal.ts'

/** What an approver decides about a version. */
export type DecisionVerb = 'approve' | 'reject'
export type Decisions = Record<DecisionVerb, Verdict>

/** What of a version of a template, binding or scenario decides who may decide about it. */
export type VersionFacts = {
  unitId: string
  version: number
  /** Whether it waits; the others are decided about, or replaced. */
  waits: boolean
  /** Why it does not wait, and who made it so: the details of the refusal. */
  last: { state: string; by: string | null; at: string | null }
  /** Every actor who wrote what stands in it. */
  authors: readonly string[]
  /** Whether another binding in force is about the same events. */
  claimTaken?: boolean
  /** The triggers of a scenario that start another one, as they are claimed. */
  takenTriggers?: readonly string[]
  /** Of a scenario: whether its category is enabled, without which nothing could start. */
  categoryEnabled?: boolean
}

/** What the caller may decide about a version. The calls ask `decisionRefusal` too. */
export function decisionsOn(principal: Principal, what: VersionedKind, facts: VersionFacts): Decisions {
  const verdict = (verb: DecisionVerb): Verdict => verdictOf(decisionRefusal(principal, verb, what, facts))
  return { approve: verdict('approve'), reject: verdict('reject') }
}

/** What has versions that are decided about, as its errors call it. */
type VersionedKind = 'template' | 'binding' | 'scenario'

/**
 * Why the caller may not decide about a version; null if they may: by role, by its state, and for an approval by
 * authorship, its category and the other bindings. `shownVersion`: the one that the caller was shown, if they name one.
 */
export function decisionRefusal(
  principal: Principal,
  verb: DecisionVerb,
  what: VersionedKind,
  {
    unitId,
    version,
    waits,
    last,
    authors,
    claimTaken = false,
    takenTriggers = [],
    categoryEnabled = true,
  }: VersionFacts,
  shownVersion: number = version,
): Refusal | null {
  if (principal.kind === 'producer') return needsPerson(what)
  const role = roleRefusal(principal, verb, unitId)
  if (role) return role
  if (!waits || shownVersion !== version) return notWaiting(verb, what, { version, last }, shownVersion)
  if (verb === 'reject') return null
  if (authors.includes(actorOf(principal))) return ownVersion
  if (!categoryEnabled) return disabledCategory
  if (takenTriggers.length > 0) return triggersTaken(takenTriggers)
  return claimTaken ? takenPair : null
}

/** Why the caller may not take back a version of a scenario that waits: whoever may write another one may. */
export function withdrawalRefusal(
  principal: Principal,
  { unitId, version, waits, last }: VersionFacts,
  shownVersion: number = version,
): Refusal | null {
  const role = roleRefusal(principal, 'create', unitId)
  if (role || (waits && shownVersion === version)) return role
  return notWaiting('withdraw', 'scenario', { version, last }, shownVersion)
}

function needsPerson(what: VersionedKind): Refusal {
  return {
    code: 'forbidden',
    message: `Only a person may approve or reject a ${what}. Sign in as an approver of the unit.`,
  }
}

function notWaiting(
  verb: DecisionVerb | 'withdraw',
  what: VersionedKind,
  { version, last }: Pick<VersionFacts, 'version' | 'last'>,
  shownVersion: number,
): Refusal {
  const message = `${verb} is not possible: ${explain(what, { version, state: last.state }, shownVersion)}`
  return { code: 'invalid_transition', message, details: last }
}

/** Why a version cannot be decided about: it is not the newest, or not open. */
function explain(
  what: VersionedKind,
  { version, state }: { version: number; state: string },
  shownVersion: number,
): string {
  const newest = `the newest version of the ${what} is ${version}, and it is ${state}`
  if (shownVersion === version) return `${newest}. Only a version that waits can be decided about.`
  if (shownVersion > version)
    return `there is no version ${shownVersion}: ${newest}. Get it again, then retry.`
  return `version ${shownVersion} is not the newest: ${newest}. Get it again, then retry.`
}

const ownVersion: Refusal = {
  code: 'self_approval',
  message: 'You wrote this version, or a part of it. Ask another approver of the unit to approve it.',
}

/** Why a binding cannot be in force. */
export const takenPair: Refusal = {
  code: 'invalid_transition',
  reason: 'events_taken',
  message: 'Another binding of this source and type is enabled, possibly in another unit. Disable it first.',
}

/** Why a version of a scenario cannot be in force: these triggers, as they are claimed, start another one. */
export function triggersTaken(triggers: readonly string[]): Refusal {
  const names = triggers.map((trigger) => trigger.replace(/^keyword:(.*)$/s, '“$1”')).join(', ')
  return {
    code: 'invalid_transition',
    reason: 'triggers_taken',
    message: `Another scenario, possibly of another unit, already starts with ${names}. Remove that here, or retire the other scenario first.`,
    details: { state: 'bound', by: null, at: null },
  }
}

/** Why a version of a scenario in a disabled category cannot be in force. */
const disabledCategory: Refusal = {
  code: 'invalid_transition',
  reason: 'category_disabled',
  message:
    'The category of this scenario is disabled, so nothing could start. Ask a system administrator to enable it, or reject the version.',
  details: { state: 'disabled', by: null, at: null },
}
