/**
 * The text of a request as it arrived, of which the signature was made.
 * @throws TypeError that says what to pass instead of a parsed body, or of nothing
 */
export function rawContent(content: unknown): string {
  if (typeof content === 'string') return content
  if (content instanceof Uint8Array) return new TextDecoder().decode(content)
  const kind = content === undefined || content === null ? 'nothing' : 'a parsed body'
  throw new TypeError(
    `Pass the raw body, a string or bytes, as it arrived: this is ${kind}. In Express: app.post(path, express.raw({ type: '*/*' }), …), then request.body.`,
  )
}

/** @throws TypeError if a secret is missing, without repeating it */
export function assertSecret(secret: unknown, what: string): void {
  if (typeof secret === 'string' && secret !== '') return
  throw new TypeError(`${what} is missing. Is the environment variable that holds it set?`)
}
