import type { LinkMode } from '../../contract/enums.ts'
import { broken } from '../../contract/rules.ts'
import type { Services } from '../context.ts'
import { validationError } from '../validation-error.ts'

/**
 * Checks that the installation can track links, if a category is to have tracked ones.
 * @throws ServiceError validation_error
 */
export function assertMayTrack(
  { chatLinks, publicUrl }: Pick<Services, 'chatLinks' | 'publicUrl'>,
  links: LinkMode | undefined,
): void {
  if (links !== 'tracked' || (chatLinks && publicUrl !== undefined)) return
  throw validationError([{ path: 'links', ...broken('not_trackable') }])
}
