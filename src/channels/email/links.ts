import { hash, timingSafeEqual } from 'node:crypto'
import { keyIdBytes, keyIdOf } from '../../signing.ts'
import { positionBytes, readPosition, readUuid, tagBytes, writePosition, writeUuid } from '../link-token.ts'
import type { LinkTarget } from './wire.ts'

/**
 * A signed link: who may do what by opening a link in a mail. Contains only ids and indexes, and no date: which links end
 * is decided by the age of their mail (docs/design/links.md), and an action that is no longer
 * possible is rejected when it is tried. The wave identifies the message.
 */
export type Link = { waveId: string; subjectId: string; target: LinkTarget }

/** The URL of a link: `<base URL>/l/<token>`. GET shows a page that asks for confirmation, POST acts. */
export const linkPath = '/l/'
/**
 * All new tokens have the same length, so that each fits the slot reserved for it; one more character, and a line of a mail
 * could not hold it (76 with the soft line break, RFC 2045, 6.7).
 */
export const tokenLength = 75

const purposes = [
  'tap',
  'do_not_remind',
  'unsubscribe',
  'preferences',
  'view',
  'mute',
  'open',
  'calendar',
  'page',
] as const

/** The first byte of a token: the version of its format. */
const format = 2
/** Where the other parts of a token stand. */
const at = layoutFrom(1)

function layoutFrom(key: number) {
  const purpose = key + keyIdBytes
  const position = purpose + 1
  const wave = position + positionBytes
  const [subject, tag] = [wave + 16, wave + 32]
  return { key, purpose, position, wave, subject, tag, end: tag + tagBytes }
}

export type LinkSigner = {
  /** The tokens of one recipient's links, in the order of `targets`. The ids are UUIDs. */
  sign(recipient: { waveId: string; subjectId: string }, targets: readonly LinkTarget[]): string[]
  /** What a token allows, or null if it is invalid. Compares the tag in constant time. */
  verify(token: string): Link | null
}

/**
 * Signs with `key` (32 or more random bytes): the first 128 bits of HMAC-SHA256 over the token's content. Verifies what
 * `key` or one of the `accepted` keys has signed.
 */
export function linkSigner(key: Buffer, accepted: readonly Buffer[] = []): LinkSigner {
  const current = keyOf(key)
  const keys = [current, ...accepted.map(keyOf)]
  return {
    sign({ waveId, subjectId }, targets) {
      const token = Buffer.alloc(at.end)
      token[0] = format
      current.id.copy(token, at.key)
      writeUuid(token, at.wave, waveId)
      writeUuid(token, at.subject, subjectId)
      return targets.map((target) => {
        writeTarget(token, target)
        current.mac(token).copy(token, at.tag, 0, tagBytes)
        return token.toString('base64url')
      })
    },
    verify(text) {
      const token = Buffer.from(text.length <= tokenLength ? text : '', 'base64url')
      if (token.toString('base64url') !== text) return null
      if (token.length !== at.end || token[0] !== format) return null
      const named = keys.filter(({ id }) => id.equals(token.subarray(at.key, at.purpose)))
      return named.some(({ mac }) => isSigned(token, mac)) ? readLink(token) : null
    },
  }
}

function keyOf(key: Buffer) {
  return { id: keyIdOf(key), mac: hmacSha256(key, at.tag) }
}

function isSigned(token: Buffer, mac: (data: Buffer) => Buffer): boolean {
  return timingSafeEqual(mac(token).subarray(0, tagBytes), token.subarray(at.tag))
}

function writeTarget(token: Buffer, target: LinkTarget): void {
  token[at.purpose] = purposes.indexOf(target.purpose)
  writePosition(token, at.position, 'o' in target ? target : { ...nowhere, ...target })
}

/** What a link that belongs to no part of a content has for a position. */
const nowhere = { n: 0, o: '0' }

function readLink(token: Buffer): Link {
  return {
    waveId: readUuid(token, at.wave),
    subjectId: readUuid(token, at.subject),
    target: readTarget(token),
  }
}

function readTarget(token: Buffer): LinkTarget {
  const purpose = purposes[token[at.purpose]!]!
  const { locale, ...position } = readPosition(token, at.position)
  if (purpose === 'open') return { purpose, ...position, locale }
  if (purpose === 'calendar') return { purpose, locale }
  if (purpose === 'page') return { purpose, n: position.n }
  return purpose === 'tap' || purpose === 'mute' ? { purpose, ...position } : { purpose }
}

/**
 * HMAC-SHA256 (RFC 2104) over the first `length` bytes of a buffer, in two one-shot hashes: takes a sixth of the time
 * of createHmac, which matters because a mail to 50,000 people has several links each.
 */
function hmacSha256(key: Buffer, length: number): (data: Buffer) => Buffer {
  const blockBytes = 64
  const padded = Buffer.alloc(blockBytes)
  ;(key.length > blockBytes ? hash('sha256', key, 'buffer') : key).copy(padded)
  const inner = Buffer.concat([padded.map((byte) => byte ^ 0x36), Buffer.alloc(length)])
  const outer = Buffer.concat([padded.map((byte) => byte ^ 0x5c), Buffer.alloc(32)])
  return (data) => {
    data.copy(inner, blockBytes, 0, length)
    hash('sha256', inner, 'buffer').copy(outer, blockBytes)
    return hash('sha256', outer, 'buffer')
  }
}
