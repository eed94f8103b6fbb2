import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'

/**
 * Passes an uploaded file on while it is within the limit.
 * @throws ServiceError payload_too_large
 */
export async function* limitedBytes(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let total = 0
  for await (const part of bytes) {
    total += part.length
    if (total > limits.uploadBytes)
      throw new ServiceError(
        'payload_too_large',
        `Send at most ${limits.uploadBytes} bytes at once. Split the file.`,
      )
    yield part
  }
}
