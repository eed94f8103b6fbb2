/** Could this be an id of ours? What is none names nothing, and must not reach a column of ids. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
