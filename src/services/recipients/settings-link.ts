import { linkPath } from '../../channels/email/links.ts'
import type { Services } from '../context.ts'

/** What signs a link. */
export type LinkServices = Pick<Services, 'links' | 'publicUrl'>

/**
 * The address of a person's settings, by what was sent to them: a wave of a message, or a turn of a run. Null where the
 * installation has no public address, or no key.
 */
export function settingsLink(
  { links, publicUrl }: LinkServices,
  sent: { waveId: string; subjectId: string },
): string | null {
  if (!links || publicUrl === undefined) return null
  const [token] = links.sign(sent, [{ purpose: 'preferences' }])
  return `${publicUrl}${linkPath}${token}`
}
