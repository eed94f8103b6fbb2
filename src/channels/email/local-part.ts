/** A local part that needs no quotes (RFC 5322, 3.2.3: dot-atom). */
const dotAtom = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/

/** An e-mail address without quotes and backslashes that are not needed: `"ann"@example.edu` is `ann@example.edu`. */
export function withPlainLocalPart(address: string): string {
  const cut = address.lastIndexOf('@')
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/.exec(address.slice(0, Math.max(cut, 0))) ?? []
  if (quoted === undefined) return address
  const text = quoted.replaceAll(/\\(.)/g, '$1')
  const local = dotAtom.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
  return local + address.slice(cut)
}
