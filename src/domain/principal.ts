/** Who is calling, as a door has verified it. Units always come from here, never from a body. */
export type ProducerPrincipal = {
  kind: 'producer'
  keyId: string
  unitId: string
  unitKind: 'ordinary' | 'administrative'
  /** Usable categories and audience dimensions; null: no restriction. */
  categories: string[] | null
  dimensions: string[] | null
  individualTargeting: boolean
}

export type PersonPrincipal = {
  kind: 'person'
  personId: string
  systemAdmin: boolean
  memberships: { unitId: string; roles: ('editor' | 'approver')[] }[]
}

export type Principal = ProducerPrincipal | PersonPrincipal

/** How rows and audit name whoever acted: `key:<id>`, `person:<id>`; besides these `system:auto`, `operator:temporal`, `operator:cli`. */
export function actorOf(principal: Principal): string {
  return principal.kind === 'producer' ? `key:${principal.keyId}` : `person:${principal.personId}`
}
