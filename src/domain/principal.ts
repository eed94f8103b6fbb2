import type { Channel, Role, UnitKind } from '../contract/enums.ts'

/** Who is calling, as a door has verified it. Units always come from here, never from a body. */
export type ProducerPrincipal = {
  kind: 'producer'
  keyId: string
  unitId: string
  unitKind: UnitKind
  /** Usable categories and audience dimensions; null: no restriction. */
  categories: string[] | null
  dimensions: string[] | null
  individualTargeting: boolean
}

export type PersonPrincipal = {
  kind: 'person'
  personId: string
  systemAdmin: boolean
  memberships: { unitId: string; roles: Role[] }[]
}

/** Who may act on what belongs to units. */
export type Principal = ProducerPrincipal | PersonPrincipal

/** A recipient, by the id token of the chat provider. */
export type RecipientPrincipal = { kind: 'recipient'; subjectId: string }

/** A system that has signed its events; `signature` is the sha256 of it. */
export type EventPrincipal = { kind: 'event'; keyId: string; signature: Uint8Array }

/** The adapter of a channel that has signed a webhook. */
export type AdapterPrincipal = { kind: 'adapter'; channel: Channel }

/** Whoever came through a door. */
export type Caller = Principal | RecipientPrincipal | EventPrincipal | AdapterPrincipal

/**
 * How rows and audit name whoever acted: `key:<id>`, `person:<id>`; besides these `system:auto`, `operator:temporal`,
 * `operator:cli`.
 */
export function actorOf(principal: Principal): string {
  return principal.kind === 'producer' ? `key:${principal.keyId}` : `person:${principal.personId}`
}

/** How rows and audit name a system whose event made something. */
export function eventActor(source: string): string {
  return `event:${source}`
}

/** How audit names a recipient who acts: by our id, never by an address. */
export function recipientActor(subjectId: string): string {
  return `recipient:${subjectId}`
}
