type Kept = { name: string; value: string; path: string }

/** A step of a browser: the URL, and the response. */
export type Step = { url: string; response: Response; text: string }

/** A browser for sign-in: keeps cookies by name and path, follows redirects, sends forms. */
export class Browser {
  cookies: Kept[] = []
  readonly #headers: Record<string, string>

  constructor(headers: Record<string, string> = {}) {
    this.#headers = { accept: 'text/html', 'accept-language': 'en', ...headers }
  }

  /** One request; redirects are returned, not followed. */
  async ask(url: string, init: RequestInit = {}): Promise<Step> {
    const cookie = this.#cookiesFor(new URL(url).pathname)
    const headers = {
      ...this.#headers,
      ...(cookie && { cookie }),
      ...(init.headers as Record<string, string>),
    }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return { url, response, text: await response.text() }
  }

  /** Follows redirects until there is a page, or until one leads to the URL in `until`. */
  async open(url: string, init: RequestInit = {}, until?: string): Promise<Step> {
    let step = await this.ask(url, init)
    for (;;) {
      const location = step.response.headers.get('location')
      if (location === null || step.response.status >= 400) return step
      const next = new URL(location, step.url).href
      if (until !== undefined && next.includes(until)) return { ...step, url: next }
      step = await this.ask(next)
    }
  }

  /** Sends the form of a page back to it. */
  submit({ url }: Step, fields: Record<string, string>, until?: string): Promise<Step> {
    return this.open(url, { method: 'POST', body: new URLSearchParams(fields) }, until)
  }

  cookie(name: string): string | undefined {
    return this.cookies.find((kept) => kept.name === name)?.value
  }

  #keep(line: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
    const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/'
    this.cookies = this.cookies.filter((kept) => kept.name !== name || kept.path !== path)
    const over = /max-age=0\b/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line)
    if (!over) this.cookies.push({ name: name!, value: value!, path })
  }

  #cookiesFor(path: string): string {
    const fitting = this.cookies.filter((kept) => path.startsWith(kept.path))
    return fitting.map(({ name, value }) => `${name}=${value}`).join('; ')
  }
}
