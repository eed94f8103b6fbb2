import type { TrackLink } from '../../channels/channel.ts'
import { linkPath } from '../../channels/email/links.ts'
import type { LinkMode } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Services } from '../context.ts'

/**
 * How to compile the links of a message whose category has these `links`: `trackLink` for tracked ones.
 * @throws ServiceError not_configured for tracked links where the installation has no public address, or no key
 */
export function linkTracking(
  { chatLinks, publicUrl }: Pick<Services, 'chatLinks' | 'publicUrl'>,
  links: LinkMode,
  messageId: string,
): { trackLink?: TrackLink } {
  if (links === 'direct') return {}
  if (!chatLinks || publicUrl === undefined)
    throw new ServiceError(
      'not_configured',
      'The links of this category are tracked, for which the hub needs its public address and its secrets key. Ask the ' +
        'operator to set both, or an administrator to make the links of the category direct.',
    )
  return { trackLink: (position) => `${publicUrl}${linkPath}${chatLinks.sign({ messageId, ...position })}` }
}

/** Where tracked links lead first: the address of each goes on with its token. Null for direct links. */
export function trackedAddress(
  { publicUrl = '' }: Pick<Services, 'publicUrl'>,
  links: LinkMode,
): string | null {
  return links === 'tracked' ? `${publicUrl}${linkPath}` : null
}
