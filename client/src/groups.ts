import { type Listing, listing } from './listing.ts'
import type { Send } from './transport.ts'
import type {
  ChangeMembers,
  CreateGroup,
  EditGroup,
  Group,
  GroupListQuery,
  GroupPage,
  MemberPage,
  MembersChanged,
  PageQuery,
} from './types.ts'

/** Groups of the caller's unit: static lists and named queries of subjects. Audiences refer to them in `groups`. */
export class Groups {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Newest first. */
  list(query: GroupListQuery = {}): Listing<GroupPage> {
    return listing(this.#send, '/v1/groups', query)
  }

  /** Creates a group; a static one is empty and needs a legal basis. With a key that has `groupWriting`. */
  create(body: CreateGroup): Promise<Group> {
    return this.#send('POST', '/v1/groups', { body })
  }

  /** One group with its size. */
  get(id: string): Promise<Group> {
    return this.#send('GET', pathOf(id))
  }

  /** Omitted fields are unchanged. */
  update(id: string, body: EditGroup): Promise<Group> {
    return this.#send('PATCH', pathOf(id), { body, repeatable: true })
  }

  /** The uids of its members. */
  members(id: string, query: PageQuery = {}): Listing<MemberPage> {
    return listing(this.#send, `${pathOf(id)}/members`, query)
  }

  /** Adds and removes up to 100,000 uids each, atomically. */
  changeMembers(id: string, body: ChangeMembers): Promise<MembersChanged> {
    return this.#send('POST', `${pathOf(id)}/members`, { body })
  }
}

function pathOf(id: string): string {
  return `/v1/groups/${encodeURIComponent(id)}`
}
