import { isApprover, rolesIn } from './permission.ts'
import type { Principal } from './principal.ts'
import type { Refusal } from './refusal.ts'

/** What of a message or a pattern decides who reads what each person answered; of the caller, times in UTC. */
export type AnswerFacts = {
  unitId: string
  /** Since when the caller answers for it: they submitted what is in force; null: they did not. */
  submitterSince: Date | null
  /** Since when the caller is an organiser; null: they are none. */
  organiserSince: Date | null
}

/** What a caller may read: what was answered since `from`; null: all of it. */
export type AnswerReading = { refusal: null; from: Date | null } | { refusal: Refusal; from?: undefined }

/**
 * Who may read what each person answered to a message or in a pattern (docs/design/answers.md): the unit's approvers and
 * keys that may target individuals, all of it; of its members also who submitted what is in force and the organisers, what
 * was answered since. This is the one place that decides it.
 */
export function readingOf(principal: Principal, facts: AnswerFacts): AnswerReading {
  const { unitId, submitterSince, organiserSince } = facts
  if (isApprover(principal, unitId)) return { refusal: null, from: null }
  if (principal.kind === 'producer')
    return principal.individualTargeting && principal.unitId === unitId
      ? { refusal: null, from: null }
      : keyLacksRight
  const since = [submitterSince, organiserSince].filter((at) => at !== null)
  if (rolesIn(principal, unitId).length === 0 || since.length === 0) return notAReader
  return { refusal: null, from: new Date(Math.min(...since.map((at) => at.getTime()))) }
}

const keyLacksRight: AnswerReading = {
  refusal: {
    code: 'forbidden',
    message:
      'This key may not read who answered what: it lacks the right individualTargeting. Use a key that has it, or read the counts.',
  },
}

const notAReader: AnswerReading = {
  refusal: {
    code: 'forbidden',
    message:
      'Only approvers of the unit, who submitted this, and its organisers may read who answered what. Ask an approver to ' +
      'name you as an organiser, or read the counts.',
  },
}

/** Why the caller may not name organisers of what is not new any more; null if they may: approvers alone. */
export function organisersRefusal(principal: Principal, unitId: string): Refusal | null {
  if (isApprover(principal, unitId)) return null
  return {
    code: 'forbidden',
    message:
      'Who asks for the first approval names the organisers; afterwards only an approver of the unit may change them. Ask ' +
      'one of them, or omit organisers.',
  }
}
