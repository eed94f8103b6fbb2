import type { Pattern } from '../../../contract/patterns/pattern.ts'
import { type DesignedPattern, mayBeRewritten } from '../../../services/patterns/design.ts'

/** What has a page of its own between two presses. */
export const confirmedActs = ['withdraw', 'close', 'reopen', 'resume'] as const
export type ConfirmedAct = (typeof confirmedActs)[number]

/** What is offered on the page of a pattern. `change`, `copy` and `invite` lead to a form in which something is written. */
export type Offer = ConfirmedAct | 'activate' | 'change' | 'copy' | 'invite'

/** How a pattern stands: as long as none of its versions has been in force, by the newest. */
export type Standing = 'draft' | 'submitted' | 'rejected' | 'withdrawn' | 'active' | 'paused' | 'retired'

export function standingOf({ scenarioState, versionState, inForce, paused }: Pattern): Standing {
  if (scenarioState === 'retired') return 'retired'
  if (inForce !== null) return paused ? 'paused' : 'active'
  return versionState === 'submitted' || versionState === 'rejected' || versionState === 'withdrawn'
    ? versionState
    : 'draft'
}

/** What has become of a change of one that is in force; null: there is none. */
export function changeOf({ inForce, version, versionState }: Pattern): ChangeState | null {
  if (inForce === null || inForce === version) return null
  return versionState === 'in_force' || versionState === 'replaced' ? null : versionState
}
export type ChangeState = 'draft' | 'submitted' | 'rejected' | 'withdrawn'

/** What an editor may do with it now. */
export function offersOf(designed: DesignedPattern): Offer[] {
  const { pattern } = designed
  const standing = standingOf(pattern)
  const isActive = standing === 'active'
  const isOver = pattern.status === 'closed'
  const hasDraft = [standing, changeOf(pattern)].some((state) => state === 'draft' || state === 'withdrawn')
  const may: Record<Offer, boolean> = {
    invite: isActive && !isOver,
    activate: hasDraft && !pattern.paused,
    change: mayBeRewritten(designed),
    withdraw: pattern.versionState === 'submitted',
    close: isActive && !isOver,
    reopen: isActive && isOver,
    resume: standing === 'paused',
    copy: true,
  }
  return offers.filter((offer) => may[offer])
}

const offers = ['invite', 'activate', 'change', 'withdraw', 'reopen', 'resume', 'close', 'copy'] as const
