/** Whether a text has the form of an id. Other texts must not reach a uuid column, which rejects them with an error. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
