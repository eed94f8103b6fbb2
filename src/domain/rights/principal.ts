import type { Role, UnitKind, WebhookSource } from '../../contract/enums.ts'

/** The authenticated caller. A caller's units always come from here, never from a body. */
export type ProducerPrincipal = {
  kind: 'producer'
  keyId: string
  unitId: string
  unitKind: UnitKind
  /** Permitted categories and audience dimensions; null: no restriction. */
  categories: string[] | null
  dimensions: string[] | null
  /** Whether the key may target individuals: name them, or use small audiences. */
  individualTargeting: boolean
  /** Whether the key may create and change groups and their members. */
  groupWriting: boolean
  /** Whether the key may reply to people in handoffs. */
  handoffReply: boolean
}

export type PersonPrincipal = {
  kind: 'person'
  personId: string
  systemAdmin: boolean
  memberships: { unitId: string; roles: Role[] }[]
}

/** Callers who may act on resources of units. */
export type Principal = ProducerPrincipal | PersonPrincipal

/** A recipient, authenticated by the chat provider's ID token. */
export type RecipientPrincipal = { kind: 'recipient'; subjectId: string }

/** A system that signs its events; `signature` is the SHA-256 of the signature. */
export type EventPrincipal = { kind: 'event'; keyId: string; signature: Uint8Array }

/** A channel's adapter or the assistant's, which signs its webhooks. */
export type AdapterPrincipal = { kind: 'adapter'; channel: WebhookSource }

/** Any authenticated caller. */
export type Caller = Principal | RecipientPrincipal | EventPrincipal | AdapterPrincipal

/**
 * The actor id of a principal in rows and audit: `key:<id>`, `person:<id>`. Other actors are events, recipients, and
 * those that services/actor.ts names.
 */
export function actorOf(principal: Principal): string {
  return principal.kind === 'producer' ? `key:${principal.keyId}` : `person:${principal.personId}`
}

/** The actor id of a system whose event created a message. */
export function eventActor(source: string): string {
  return `event:${source}`
}

/** The actor id of a schedule, for what its occurrences make. */
export function scheduleActor(scheduleId: string): string {
  return `${ofSchedule}${scheduleId}`
}

/** The id of the schedule that an actor id names; null: it names another actor. */
export function scheduleOfActor(actor: string): string | null {
  return actor.startsWith(ofSchedule) ? actor.slice(ofSchedule.length) : null
}

const ofSchedule = 'schedule:'

/** The actor id of a recipient: by subject id, never by an address. */
export function recipientActor(subjectId: string): string {
  return `recipient:${subjectId}`
}
