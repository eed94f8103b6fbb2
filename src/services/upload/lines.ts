import { limits } from '../../contract/limits.ts'
import { broken } from '../../contract/rules.ts'
import { requestError } from '../validation-error.ts'

const newline = 0x0a
/** One for all lines: making one takes longer than a line. */
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Splits a file into lines; null for a line of more than `limits.lineBytes`, whose bytes are skipped. Holds one line in
 * memory, whatever the parts in which the bytes arrive, and looks at each byte once.
 * @throws ServiceError validation_error if the file is not in UTF-8
 */
export async function* linesIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  const line = Buffer.allocUnsafe(limits.lineBytes)
  let length = 0
  const add = (part: Buffer) => {
    if (length + part.length <= line.length) part.copy(line, length)
    length += part.length
  }
  const take = () => {
    const text = length > line.length ? null : textOf(line.subarray(0, length))
    length = 0
    return text
  }
  for await (const part of bytes) {
    let start = 0
    for (let end = part.indexOf(newline); end !== -1; end = part.indexOf(newline, start)) {
      add(part.subarray(start, end))
      yield take()
      start = end + 1
    }
    add(part.subarray(start))
  }
  yield take()
}

function textOf(line: Buffer): string {
  try {
    return decoder.decode(line)
  } catch {
    throw notUtf8()
  }
}

/** The error of a file in another encoding. */
export function notUtf8(): Error {
  return requestError('The file is not in UTF-8. Save it in UTF-8.', {
    path: '',
    ...broken('wrong_format', { format: 'utf8' }),
  })
}
