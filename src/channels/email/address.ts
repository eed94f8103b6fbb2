import { domainToASCII } from 'node:url'
import { withPlainLocalPart } from './local-part.ts'

/** Without `<` and `>`, which RFC 5321 allows inside quotes: mail libraries and servers reject such an envelope. */
const localPart =
  /^(?:[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*|"(?:[ !#-;=?-[\]-~]|\\[ -;=?-~])*")$/
/** At least two labels of at most 63 octets (RFC 1035, 2.3.4): servers reject a domain that is not fully qualified. */
const domainPart = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/**
 * An address in the form that headers and SMTP commands allow (RFC 5321, 4.1.2), with its domain in ASCII and without
 * quotes that are not needed; null if it is invalid or commonly rejected by mail servers, so that no stored address can
 * end a line, add a recipient or invalidate an envelope. A non-ASCII local part needs SMTPUTF8 on every hop to the
 * reader, so it is not supported.
 */
export function mailAddress(text: string): string | null {
  const cut = text.lastIndexOf('@')
  const local = text.slice(0, cut)
  const domain = domainToASCII(text.slice(cut + 1))
  if (cut < 1 || local.length > 64 || domain.length > 255 || !domainPart.test(domain)) return null
  return localPart.test(local) ? withPlainLocalPart(`${local}@${domain}`) : null
}
