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
] as const

/** Where the parts of a token stand. It starts with the version of its format. */
type Layout = ReturnType<typeof layoutFrom>

/** The parts after the head, which begins the token and ends before byte `start`. */
function layoutFrom(start: number) {
  const [purpose, position] = [start, start + 1]
  const wave = position + positionBytes
  const [subject, tag] = [wave + 16, wave + 32]
  return { purpose, position, wave, subject, tag, end: tag + tagBytes }
}

/** Version 2 names its key. */
const formats = { withoutKey: 1, withKey: 2 } as const
const layouts = { withoutKey: layoutFrom(1), withKey: layoutFrom(1 + keyIdBytes) }

export type LinkSigner = {
  /** The tokens of one recipient's links, in the order of `targets`. The ids are UUIDs. */
  sign(recipient: { waveId: string; subjectId: string }, targets: readonly LinkTarget[]): string[]
  /** What a token allows, or null if it is invalid. Compares the tag in constant time. */
  verify(token: string): Link | null
}

/**
 * Signs with `key` (32 or more random bytes): the first 128 bits of HMAC-SHA256 over the token's content. Verifies what
 * `key` or one of the `accepted` keys has signed; tokens of mails of before name no key.
 */
export function linkSigner(key: Buffer, accepted: readonly Buffer[] = []): LinkSigner {
  const current = keyOf(key)
  const keys = [current, ...accepted.map(keyOf)]
  const at = layouts.withKey
  return {
    sign({ waveId, subjectId }, targets) {
      const token = Buffer.alloc(at.end)
      token[0] = formats.withKey
      current.id.copy(token, 1)
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
      if (isFormat(token, 'withKey')) {
        const named = keys.filter(({ id }) => id.equals(token.subarray(1, 1 + keyIdBytes)))
        return named.some(({ mac }) => isSigned(token, at, mac)) ? readLink(token, at) : null
      }
      if (!isFormat(token, 'withoutKey')) return null
      const old = layouts.withoutKey
      return keys.some(({ oldMac }) => isSigned(token, old, oldMac)) ? readLink(token, old) : null
    },
  }
}

function keyOf(key: Buffer) {
  const { withKey, withoutKey } = layouts
  return { id: keyIdOf(key), mac: hmacSha256(key, withKey.tag), oldMac: hmacSha256(key, withoutKey.tag) }
}

function isFormat(token: Buffer, format: keyof typeof formats): boolean {
  return token.length === layouts[format].end && token[0] === formats[format]
}

function isSigned(token: Buffer, { tag }: Layout, mac: (data: Buffer) => Buffer): boolean {
  return timingSafeEqual(mac(token).subarray(0, tagBytes), token.subarray(tag))
}

function writeTarget(token: Buffer, target: LinkTarget): void {
  const at = layouts.withKey
  token[at.purpose] = purposes.indexOf(target.purpose)
  writePosition(token, at.position, 'o' in target ? target : { ...nowhere, ...target })
}

/** What a link that belongs to no part of a content has for a position. */
const nowhere = { n: 0, o: '0' }

function readLink(token: Buffer, at: Layout): Link {
  return {
    waveId: readUuid(token, at.wave),
    subjectId: readUuid(token, at.subject),
    target: readTarget(token, at),
  }
}

function readTarget(token: Buffer, at: Layout): LinkTarget {
  const purpose = purposes[token[at.purpose]!]!
  const { locale, ...position } = readPosition(token, at.position)
  if (purpose === 'open') return { purpose, ...position, locale }
  if (purpose === 'calendar') return { purpose, locale }
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
