import type { Send } from './transport.ts'
import type {
  ApproveTemplate,
  CategoryPage,
  CreateTemplate,
  CreateTemplateVersion,
  PageQuery,
  RejectTemplate,
  TemplateDetail,
  TemplateListQuery,
  TemplatePage,
  TemplateVersionPage,
  Unit,
} from './types.ts'

/** The enabled categories. A key that may not use one receives 403 when it tries. */
export class Categories {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  list(query: PageQuery = {}): Promise<CategoryPage> {
    return this.#send('GET', '/v1/categories', { query })
  }
}

/** Templates of the caller's unit. */
export class Templates {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  list(query: TemplateListQuery = {}): Promise<TemplatePage> {
    return this.#send('GET', '/v1/templates', { query })
  }

  create(body: CreateTemplate): Promise<TemplateDetail> {
    return this.#send('POST', '/v1/templates', { body })
  }

  get(id: string): Promise<TemplateDetail> {
    return this.#send('GET', `/v1/templates/${encodeURIComponent(id)}`)
  }

  versions(id: string, query: PageQuery = {}): Promise<TemplateVersionPage> {
    return this.#send('GET', `/v1/templates/${encodeURIComponent(id)}/versions`, { query })
  }

  /** Creates a draft version. Messages use the last approved version until this one is approved. */
  createVersion(id: string, body: CreateTemplateVersion): Promise<TemplateDetail> {
    return this.#send('POST', `/v1/templates/${encodeURIComponent(id)}/versions`, { body })
  }

  /** Approves the newest version, with the session of an approver who is not its author. */
  approve(id: string, body: ApproveTemplate = {}): Promise<TemplateDetail> {
    return this.#send('POST', `/v1/templates/${encodeURIComponent(id)}/approve`, { body })
  }

  /** Rejects the newest version, with an approver's session. */
  reject(id: string, body: RejectTemplate): Promise<TemplateDetail> {
    return this.#send('POST', `/v1/templates/${encodeURIComponent(id)}/reject`, { body })
  }
}

/** The caller's unit: its members and quota. */
export class Units {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  get(id: string): Promise<Unit> {
    return this.#send('GET', `/v1/units/${encodeURIComponent(id)}`)
  }
}
