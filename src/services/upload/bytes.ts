import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'

/**
 * Passes an uploaded file on while it is within the limit.
 * @throws ServiceError payload_too_large
 */
export async function* limitedBytes(
  bytes: AsyncIterable<Buffer>,
  most = limits.uploadBytes,
): AsyncGenerator<Buffer> {
  let total = 0
  for await (const part of bytes) {
    total += part.length
    if (total > most)
      throw new ServiceError(
        'payload_too_large',
        `Send at most ${most} bytes at once. ${most === limits.uploadBytes ? 'Split the file.' : 'Make the file smaller.'}`,
      )
    yield part
  }
}
