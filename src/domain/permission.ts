import { type Move, type Role, roles } from '../contract/enums.ts'
import type { Principal } from './principal.ts'

/** What people and producers do to a message by asking for it; the other moves are the run's own. `skip` is a `retry`. */
export type Verb = 'create' | Exclude<Move, 'start' | 'drift' | 'finish' | 'expire' | 'skip'>

const editors = ['editor'] as const
const approvers = ['approver'] as const

/**
 * Which roles of the unit may ask for a move (docs/decisions/0002-who-may.md); the table of moves says whether it is
 * legal.
 */
const allowed: Record<Verb, readonly Role[]> = {
  create: editors,
  edit: roles,
  submit: roles,
  approve: approvers,
  reject: approvers,
  cancel: roles,
  pause: roles,
  resume: roles,
  stop: roles,
  retry: roles,
}

/**
 * May the caller ask for this in this unit? A producer key may do everything but say no: `approve` is then the
 * automatic check.
 */
export function mayAsk(principal: Principal, verb: Verb, unitId: string): boolean {
  if (principal.kind === 'producer') return principal.unitId === unitId && verb !== 'reject'
  return rolesIn(principal, unitId).some((role) => allowed[verb].includes(role))
}

/** May the caller see the text of a personal message? Only its authors and the unit's approvers. */
export function maySeePersonal(principal: Principal, unitId: string, author: boolean): boolean {
  if (author) return true
  return principal.kind === 'person' && rolesIn(principal, unitId).includes('approver')
}

function rolesIn(principal: Extract<Principal, { kind: 'person' }>, unitId: string) {
  return principal.memberships
    .filter((membership) => membership.unitId === unitId)
    .flatMap((membership) => membership.roles)
}
