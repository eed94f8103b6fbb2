import { timingSafeEqual } from 'node:crypto'
import type { LinkPosition } from '../../domain/content/web-link.ts'
import { keyedHash, keyIdBytes, keyIdOf } from '../../signing.ts'
import { positionBytes, readPosition, readUuid, tagBytes, writePosition, writeUuid } from '../link-token.ts'

/**
 * A tracked link of a message in the chat. A chat message is the same for up to 500 people, so it names none of them
 * (docs/design/links.md).
 */
export type ChatLink = { messageId: string } & LinkPosition

/** Its token begins with the version of its format; those of mails are others, and longer (channels/email/links.ts). */
const format = 3
const keyAt = 1
const messageAt = keyAt + keyIdBytes
const positionAt = messageAt + 16
const tagAt = positionAt + positionBytes
const end = tagAt + tagBytes

export type ChatLinkSigner = {
  /** The token of a link: 52 characters of base64url. The id is a UUID. */
  sign(link: ChatLink): string
  /** The link of a token, or null if it is invalid. Compares the tag in constant time. */
  verify(token: string): ChatLink | null
}

/** Signs with `key` (32 or more random bytes), and verifies what `key` or one of the `accepted` keys has signed. */
export function chatLinkSigner(key: Buffer, accepted: readonly Buffer[] = []): ChatLinkSigner {
  const keys = [key, ...accepted].map((one) => ({ one, id: keyIdOf(one) }))
  return {
    sign({ messageId, ...position }) {
      const token = Buffer.alloc(end)
      token[0] = format
      keys[0]!.id.copy(token, keyAt)
      writeUuid(token, messageAt, messageId)
      writePosition(token, positionAt, position)
      tagOf(key, token).copy(token, tagAt)
      return token.toString('base64url')
    },
    verify(text) {
      const token = Buffer.from(text.length <= end * 2 ? text : '', 'base64url')
      if (token.length !== end || token[0] !== format || token.toString('base64url') !== text) return null
      const named = keys.filter(({ id }) => id.equals(token.subarray(keyAt, messageAt)))
      if (!named.some(({ one }) => timingSafeEqual(tagOf(one, token), token.subarray(tagAt)))) return null
      return { messageId: readUuid(token, messageAt), ...readPosition(token, positionAt) }
    },
  }
}

function tagOf(key: Buffer, token: Buffer): Buffer {
  return keyedHash(key, token.subarray(0, tagAt)).subarray(0, tagBytes)
}
