import type { WaitingApproval } from '../../contract/approvals.ts'
import type { Actor } from '../../contract/common.ts'
import type { ApprovalKind } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Unit } from '../../db/queries/identity/unit.ts'
import type { Shortfall } from '../../domain/message/shortfall.ts'
import type { PersonPrincipal, Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'

/** One kind of what waits for approval: how it is listed and shown, and the calls that decide about it. */
export type Kind<View> = {
  /** Those of these ids that wait and that the caller may see, in any order. */
  list(services: Services, principal: Principal, ids: string[]): Promise<WaitingItem[]>
  /**
   * Everything that an approver needs to decide about one. `shownVersion`: the one that the caller has seen before; the
   * view then tells what has changed since.
   * @throws ServiceError not_found
   */
  view(services: Services, principal: PersonPrincipal, id: string, shownVersion?: number): Promise<View>
  /** @throws ServiceError as the operation `approve` of the kind */
  approve(services: Services, principal: PersonPrincipal, id: string, version: number): Promise<unknown>
  /** @throws ServiceError as the operation `reject` of the kind */
  reject(services: Services, principal: PersonPrincipal, id: string, rejection: Rejection): Promise<unknown>
}

/** An entry of the list, apart from its position. */
export type WaitingItem = Omit<WaitingApproval, 'kind' | 'since'>
/** Of what is sent to nobody by its approval. */
export const noSend = { recipients: null, startsAt: null } as const
/** Of what no pattern generated. */
export const noPattern = { pattern: null } as const
type Rejection = { version: number; reason: string }

/** What the pages of all kinds show. */
export type ViewHead<Name extends ApprovalKind> = {
  kind: Name
  id: string
  version: number
  title: LocalisedText
  unit: Unit
  category: LocalisedText
  /** Where the links of its messages lead first, because clicks on them are counted; null: they are direct. */
  trackedAddress: string | null
  /** What the addresses of the installation's own pictures begin with, which pages show; null: it has none. */
  pictures: string | null
  author: Actor
  /** Since when it waits; null: it does not, see `outcome`. */
  since: string | null
  allowed: WaitingApproval['allowed']
  /** The decision; null while it waits. */
  outcome: Outcome | null
}

/** `state`: of the message or version, in the words of its kind. */
export type Outcome = {
  state: string
  by: Actor | null
  at: string | null
  reason?: string | undefined
  /** Of a message whose send reached no recipients or far too few. */
  shortfall?: Shortfall | undefined
}
