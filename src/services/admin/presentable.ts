import { mailAddress } from '../../channels/email/address.ts'
import type { EditUnit } from '../../contract/admin/unit.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import { broken } from '../../contract/rules.ts'
import { invisibleIn } from '../../domain/content/invisible-text.ts'
import { bareHost, isPrivateLiteral } from '../outbound/address.ts'
import { type Issue, validationError } from '../validation-error.ts'

/**
 * Checks how a unit shall appear to recipients: names of one line that say what they seem to say, an address that mail
 * servers accept, and an icon that the chat app can load from a public address.
 * @throws ServiceError validation_error
 */
export function assertPresentable({
  displayName,
  replyTo,
  sender,
}: Pick<EditUnit, 'displayName' | 'replyTo' | 'sender'>): void {
  const issues = [
    ...nameIssues('displayName', displayName),
    ...nameIssues('sender.name', sender?.name),
    ...replyToIssues(replyTo),
    ...iconIssues(sender?.iconUrl),
  ]
  if (issues.length > 0) throw validationError(issues)
}

function nameIssues(path: string, name: LocalisedText | null | undefined): Issue[] {
  return Object.entries(name ?? {}).flatMap(([locale, text]) => {
    const character = invisibleIn(text) ?? (/[\t\n\r\u2028\u2029]/.test(text) ? 'a line end or tab' : null)
    if (character === null) return []
    return [{ path: `${path}.${locale}`, ...broken('invisible_character', { of: 'line', value: character }) }]
  })
}

function replyToIssues(replyTo: string | null | undefined): Issue[] {
  if (replyTo == null || mailAddress(replyTo) !== null) return []
  return [{ path: 'replyTo', ...broken('wrong_format', { format: 'reply_address' }) }]
}

function iconIssues(iconUrl: string | null | undefined): Issue[] {
  if (iconUrl == null) return []
  const { username, password, hostname } = new URL(iconUrl)
  const path = 'sender.iconUrl'
  if (username || password) return [{ path, ...broken('has_credentials', { of: 'icon' }) }]
  const host = bareHost(hostname)
  if (isPrivateLiteral(host) || !host.includes('.') || /(^|\.)(localhost|local|internal)$/.test(host))
    return [{ path, ...broken('not_public', { of: 'icon' }) }]
  return []
}
