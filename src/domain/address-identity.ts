import type { Channel } from '../contract/enums.ts'

/** A local part that needs no quotes (RFC 5322, 3.2.3: dot-atom). */
const dotAtom = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/

/**
 * What all spellings of an address have in common, to tell whether two are the same: e-mail without regard to case and
 * to quotes that are not needed. Other channels have one spelling.
 */
export function addressIdentity(channel: Channel, address: string): string {
  return identityOn[channel](address)
}

const identityOn: Record<Channel, (address: string) => string> = {
  chat: (address) => address,
  email: (address) => withPlainLocalPart(address).toLowerCase(),
}

/** An e-mail address without quotes and backslashes that are not needed: `"ann"@example.edu` is `ann@example.edu`. */
export function withPlainLocalPart(address: string): string {
  const cut = address.lastIndexOf('@')
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/.exec(address.slice(0, Math.max(cut, 0))) ?? []
  if (quoted === undefined) return address
  const text = quoted.replaceAll(/\\(.)/g, '$1')
  const local = dotAtom.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
  return local + address.slice(cut)
}
