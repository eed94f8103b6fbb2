import { type Listing, listing } from './listing.ts'
import { deletion } from './move.ts'
import type { Send } from './transport.ts'
import type {
  Category,
  CategoryPage,
  ChangeRoles,
  CreateCategory,
  CreateEventKey,
  CreateKey,
  CreateLookupEndpoint,
  CreatePerson,
  CreateUnit,
  DeletedLookupEndpoint,
  EditCategory,
  EditPerson,
  EditUnit,
  EventKey,
  EventKeyListQuery,
  EventKeyPage,
  FindSuppression,
  FoundSuppression,
  IssuedEventKey,
  IssuedKey,
  KeyListQuery,
  LiftSuppression,
  LookupEndpoint,
  LookupEndpointPage,
  PageQuery,
  Person,
  PersonListQuery,
  PersonPage,
  ProducerKey,
  ProducerKeyPage,
  QuotaAccount,
  QuotaAccountPage,
  QuotaQuery,
  SetQuota,
  SetValueNames,
  Suppression,
  UnitMember,
  UnitMemberPage,
  UnitRecord,
  UnitRecordPage,
  ValueNameCount,
  ValueNamePage,
  ValueNameQuery,
} from './types.ts'

/** Units, people, keys, categories and quota of the installation, with the session of a system administrator. */
export class Admin {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** By name. */
  listUnits(query: PageQuery = {}): Listing<UnitRecordPage> {
    return listing(this.#send, '/v1/admin/units', query)
  }

  /** It has no members, keys or quota yet. */
  createUnit(body: CreateUnit): Promise<UnitRecord> {
    return this.#send('POST', '/v1/admin/units', { body })
  }

  /** Omitted fields are unchanged. */
  editUnit(id: string, body: EditUnit): Promise<UnitRecord> {
    return this.#send('PATCH', pathOf('units', id), { body, repeatable: true })
  }

  /** All of them, by name. */
  listMembers(unitId: string): Listing<UnitMemberPage> {
    return listing(this.#send, `${pathOf('units', unitId)}/members`, {})
  }

  /** Grants and removes roles of a person in a unit. */
  changeRoles(unitId: string, body: ChangeRoles): Promise<UnitMember> {
    return this.#send('POST', `${pathOf('units', unitId)}/members`, { body, repeatable: true })
  }

  /** By name, or the one with an e-mail address. */
  listPersons(query: PersonListQuery = {}): Listing<PersonPage> {
    return listing(this.#send, '/v1/admin/persons', query)
  }

  /** They can sign in, and do nothing before they have a role. */
  createPerson(body: CreatePerson): Promise<Person> {
    return this.#send('POST', '/v1/admin/persons', { body })
  }

  /** Omitted fields are unchanged. */
  editPerson(id: string, body: EditPerson): Promise<Person> {
    return this.#send('PATCH', pathOf('persons', id), { body, repeatable: true })
  }

  /** Producer keys, without their secrets. */
  listKeys(query: KeyListQuery = {}): Listing<ProducerKeyPage> {
    return listing(this.#send, '/v1/admin/keys', query)
  }

  /**
   * The key is in this answer alone.
   *
   * @example
   * const { key } = await carillon.admin.createKey({ unitId: id, name: 'Loans', categories: ['library'] })
   */
  createKey(body: CreateKey): Promise<IssuedKey> {
    return this.#send('POST', '/v1/admin/keys', { body })
  }

  /** At once, and for good. */
  revokeKey(id: string): Promise<ProducerKey> {
    return this.#send('POST', `${pathOf('keys', id)}/revoke`)
  }

  /** Signing keys of events, without their secrets. */
  listEventKeys(query: EventKeyListQuery = {}): Listing<EventKeyPage> {
    return listing(this.#send, '/v1/admin/event-keys', query)
  }

  /** The secret is in this answer alone. */
  createEventKey(body: CreateEventKey): Promise<IssuedEventKey> {
    return this.#send('POST', '/v1/admin/event-keys', { body })
  }

  /** At once, and for good. */
  revokeEventKey(id: string): Promise<EventKey> {
    return this.#send('POST', `${pathOf('event-keys', id)}/revoke`)
  }

  /** Whether an address is suppressed, and why. */
  findSuppression(body: FindSuppression): Promise<FoundSuppression> {
    return this.#send('POST', '/v1/admin/suppressions/find', { body, repeatable: true })
  }

  /** Lets mail go to an address again. */
  liftSuppression(body: LiftSuppression): Promise<Suppression> {
    return this.#send('POST', '/v1/admin/suppressions/lift', { body })
  }

  /** The origins that Lookups may go to. */
  listLookupEndpoints(query: PageQuery = {}): Listing<LookupEndpointPage> {
    return listing(this.#send, '/v1/admin/lookup-endpoints', query)
  }

  /** Registers an origin, or registers it anew with other settings. */
  createLookupEndpoint(body: CreateLookupEndpoint): Promise<LookupEndpoint> {
    return this.#send('POST', '/v1/admin/lookup-endpoints', { body })
  }

  /** Lookups to it fail from now on. */
  deleteLookupEndpoint(id: string): Promise<DeletedLookupEndpoint> {
    return deletion(this.#send, pathOf('lookup-endpoints', id))
  }

  /** Disabled ones as well. */
  listCategories(query: PageQuery = {}): Listing<CategoryPage> {
    return listing(this.#send, '/v1/admin/categories', query)
  }

  /** Its id is in the body, and stays. */
  createCategory(body: CreateCategory): Promise<Category> {
    return this.#send('POST', '/v1/admin/categories', { body })
  }

  /** Omitted fields are unchanged. */
  editCategory(id: string, body: EditCategory): Promise<Category> {
    return this.#send('PATCH', pathOf('categories', id), { body, repeatable: true })
  }

  /** What people call the values of a dimension. */
  listValueNames(query: ValueNameQuery): Listing<ValueNamePage> {
    return listing(this.#send, '/v1/admin/value-names', query)
  }

  /** Other values keep theirs; null takes one away. */
  setValueNames(body: SetValueNames): Promise<ValueNameCount> {
    return this.#send('PUT', '/v1/admin/value-names', { body, repeatable: true })
  }

  /** The accounts of a unit, or of the pool, in one month. */
  getQuota(query: QuotaQuery): Listing<QuotaAccountPage> {
    return listing(this.#send, '/v1/admin/quota', query)
  }

  /** Not below what is used already. */
  setQuota(body: SetQuota): Promise<QuotaAccount> {
    return this.#send('PUT', '/v1/admin/quota', { body, repeatable: true })
  }
}

function pathOf(noun: string, id: string): string {
  return `/v1/admin/${noun}/${encodeURIComponent(id)}`
}
