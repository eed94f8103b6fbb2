import { type Move, type Role, roles, type UnitKind } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { Principal } from './principal.ts'
import type { Refusal } from './refusal.ts'

/** The moves that people and producers request; the others are made by the run. `skip` is a variant of `retry`. */
export type Verb = 'create' | Exclude<Move, 'start' | 'drift' | 'finish' | 'expire' | 'skip'>

const editors = ['editor'] as const
const approvers = ['approver'] as const

/**
 * Which roles of the unit may request a move (docs/design/approvals.md); the table of moves decides whether it is
 * legal.
 */
const allowed: Record<Verb, readonly Role[]> = {
  create: editors,
  edit: roles,
  submit: roles,
  approve: approvers,
  reject: approvers,
  withdraw: roles,
  cancel: roles,
  pause: roles,
  resume: roles,
  stop: roles,
  retry: roles,
}

/**
 * Whether the caller may request this move in this unit. A producer key may request everything except `reject`; its
 * `approve` runs the automatic check.
 */
export function mayAsk(principal: Principal, verb: Verb, unitId: string): boolean {
  if (principal.kind === 'producer') return principal.unitId === unitId && verb !== 'reject'
  return rolesIn(principal, unitId).some((role) => allowed[verb].includes(role))
}

/** Why the caller may not request this move in this unit; null if they may. */
export function roleRefusal(principal: Principal, verb: Verb, unitId: string): Refusal | null {
  if (mayAsk(principal, verb, unitId)) return null
  const who = verb === 'approve' || verb === 'reject' ? 'an approver' : 'an editor'
  return { code: 'forbidden', message: `Only ${who} of the unit may ${verb} this. Ask one of them.` }
}

/** Whether the caller may see the text of a personal message: only its authors and the unit's approvers may. */
export function maySeePersonal(principal: Principal, unitId: string, author: boolean): boolean {
  return author || isApprover(principal, unitId)
}

/** Whether the caller is a person who may approve messages of this unit. */
export function isApprover(principal: Principal, unitId: string): boolean {
  return principal.kind === 'person' && rolesIn(principal, unitId).includes('approver')
}

/** Whether lists show the caller what they wrote in first: of people who write in the unit, and do not decide for it. */
export function readsOwnFirst(principal: Principal, unitId: string): boolean {
  return mayAsk(principal, 'create', unitId) && !isApprover(principal, unitId)
}

/** Whether the caller decides which unit binds a source: system administrators, and keys of administrative units. */
export function mayClaimSources(principal: Principal): boolean {
  return principal.kind === 'person' ? principal.systemAdmin : principal.unitKind === 'administrative'
}

/**
 * Whether the caller may see whom an audience of individuals names: the unit's approvers may, and authors with the right
 * to individual targeting.
 */
export function maySeeNames(principal: Principal, unitId: string, author: boolean): boolean {
  if (principal.kind === 'producer') return author && principal.individualTargeting
  return rolesIn(principal, unitId).includes('approver')
}

/**
 * Why the caller may not read who received a message of this unit, by any author; null if they may: keys
 * that may target individuals, and members of an administrative unit, which keeps people's data.
 */
export function namesRefusal(principal: Principal, unitKind: UnitKind): Refusal | null {
  const may = principal.kind === 'producer' ? principal.individualTargeting : unitKind === 'administrative'
  if (may) return null
  const message =
    principal.kind === 'producer'
      ? 'This key may not read who received a message: it lacks the right individualTargeting. Use a key that has it.'
      : 'Only members of an administrative unit may read who received its messages. The counts are in stats.'
  return { code: 'forbidden', message }
}

/**
 * Why the caller may not read with whom the runs of a scenario of this unit are, and what they said; null if they may:
 * who may read who received a message, and the unit's approvers, who answer for what its scenarios ask.
 */
export function runNamesRefusal(principal: Principal, unitId: string, unitKind: UnitKind): Refusal | null {
  const refusal = isApprover(principal, unitId) ? null : namesRefusal(principal, unitKind)
  if (refusal === null) return null
  const message =
    principal.kind === 'producer'
      ? 'This key may not read about the people of a run: it lacks the right individualTargeting. Use a key that has it.'
      : 'Only approvers of the unit, and members of an administrative unit, may read about the people of its runs.'
  return { ...refusal, message }
}

/**
 * Why the caller may not ask what became of a message of this unit for one person; null if they may: who may read who
 * received it, and the unit's approvers, who answer for it.
 */
export function traceRefusal(principal: Principal, unitId: string, unitKind: UnitKind): Refusal | null {
  const refusal = isApprover(principal, unitId) ? null : namesRefusal(principal, unitKind)
  if (refusal === null || principal.kind === 'producer') return refusal
  const message =
    'Only approvers of the unit, and members of an administrative unit, may ask what became of a message for one ' +
    'person. The counts are in stats.'
  return { ...refusal, message }
}

/**
 * Why the caller may not take part in the handoffs of their unit; null if they may: its people, whatever their role, since
 * any of them may answer, and keys that may target individuals.
 */
export function handoffRefusal(principal: Principal): Refusal | null {
  if (principal.kind === 'person' || principal.individualTargeting) return null
  return {
    code: 'forbidden',
    message:
      'This key may not take part in handoffs: it lacks the right individualTargeting. Use a key that has it, or sign in.',
  }
}

/** Why the caller may not reply in the handoffs of their unit; null if they may: its people, and keys with the right to it. */
export function handoffReplyRefusal(principal: Principal): Refusal | null {
  if (principal.kind === 'person' || principal.handoffReply) return null
  return {
    code: 'forbidden',
    message:
      'This key may not reply in handoffs, where nobody approves what it says: it lacks the right handoffReply. Use a key ' +
      'that has it, or sign in.',
  }
}

/** Of a key that says the same words to more people than it may. */
export const saidToMany: Refusal = {
  code: 'forbidden',
  message:
    `Keys of this unit have said these words to ${limits.sameWordsByKeys} people within an hour. What many people are ` +
    'told is a message, which an approver reads: write a message.',
}

/** The roles of a person in a unit; none: they are no member. */
export function rolesIn(principal: Extract<Principal, { kind: 'person' }>, unitId: string) {
  return principal.memberships
    .filter((membership) => membership.unitId === unitId)
    .flatMap((membership) => membership.roles)
}
