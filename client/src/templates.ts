import { type Listing, listing } from './listing.ts'
import { move } from './move.ts'
import type { Send } from './transport.ts'
import type {
  ApproveTemplate,
  CreateTemplate,
  CreateTemplateVersion,
  PageQuery,
  Preview,
  PreviewTemplate,
  RejectTemplate,
  TemplateDetail,
  TemplateListQuery,
  TemplatePage,
  TemplateVersionPage,
} from './types.ts'

/** Templates of the caller's unit: approved texts with variables, which the automatic check asks for. */
export class Templates {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Newest first. */
  list(query: TemplateListQuery = {}): Listing<TemplatePage> {
    return listing(this.#send, '/v1/templates', query)
  }

  /** Creates a draft, which an approver approves. */
  create(body: CreateTemplate): Promise<TemplateDetail> {
    return this.#send('POST', '/v1/templates', { body })
  }

  /** The template with its newest version. */
  get(id: string): Promise<TemplateDetail> {
    return this.#send('GET', pathOf(id))
  }

  /** Its versions, newest first. */
  versions(id: string, query: PageQuery = {}): Listing<TemplateVersionPage> {
    return listing(this.#send, `${pathOf(id)}/versions`, query)
  }

  /** What a channel shows of its newest version, with example values. */
  preview(id: string, body: PreviewTemplate): Promise<Preview> {
    return this.#send('POST', `${pathOf(id)}/preview`, { body })
  }

  /** Creates a draft version. Messages use the last approved version until this one is approved. */
  createVersion(id: string, body: CreateTemplateVersion): Promise<TemplateDetail> {
    return this.#send('POST', `${pathOf(id)}/versions`, { body })
  }

  /** Approves the newest version, with the session of an approver who is not its author. */
  approve(id: string, body: ApproveTemplate = {}): Promise<TemplateDetail> {
    const answer = () => this.get(id)
    return move(this.#send, `${pathOf(id)}/approve`, { body, to: ['approved'], answer })
  }

  /** Rejects the newest version, with an approver's session. */
  reject(id: string, body: RejectTemplate): Promise<TemplateDetail> {
    const answer = () => this.get(id)
    return move(this.#send, `${pathOf(id)}/reject`, { body, to: ['rejected'], answer })
  }
}

function pathOf(id: string): string {
  return `/v1/templates/${encodeURIComponent(id)}`
}
