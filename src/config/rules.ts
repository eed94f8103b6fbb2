import ipaddr from 'ipaddr.js'
import { origins } from './address-parsers.ts'
import { signingKeys } from './key-parsers.ts'
import type { Problem, Rule } from './setting.ts'

/** How hard a secret must be to guess. */
type Strength = {
  /** The fewest characters, without common words. */
  characters: number
  /** The fewest different characters, and steps from one to the next. A random secret has twice as many. */
  variety: number
}

/** Of secrets that operators make. */
const own: Strength = { characters: 16, variety: 6 }
/** Of secrets that others issue, and of passwords. */
const issued: Strength = { characters: 8, variety: 4 }

/** The placeholder of a secret in examples. */
const placeholder = /(change|replace).?(me|this)|^<[\w .-]*>$/i
/** Words that are tried first; they add nothing to the strength of a secret. */
const commonWords = /secret|passw(or)?d|example|carillon|default|admin|qwerty|test/gi

const newSecret = 'Write the output of: openssl rand -base64 32'
const issuedAnew = 'Write the secret that its provider has issued; if that is as weak, have a new one issued'

/** A secret that operators make. */
export const strongSecret: Rule = {
  asks: 'a secret that is hard to guess, of at least 16 characters',
  check: (text) => checkSecret(text, own, newSecret),
}

/** A secret that a provider issues. */
export const issuedSecret: Rule = {
  asks: 'a secret that is hard to guess, of at least 8 characters',
  check: (text) => checkSecret(text, issued, issuedAnew),
}

/** The password in the address of a database, if there is one. */
export const strongPassword: Rule = {
  asks: 'a password, if any, that is hard to guess, of at least 8 characters',
  check(text) {
    const { password, searchParams } = new URL(text)
    const secret = password || searchParams.get('password')
    const weakness = secret ? weaknessOf(secret, issued) : undefined
    if (weakness === undefined) return undefined
    return { problem: `has a password that ${weakness}`, remedy: 'Give the role another password' }
  },
}

/** The secret of each key that signs events. */
export const strongSigningKeys: Rule = {
  asks: 'secrets that are hard to guess, of at least 16 characters each',
  check(text) {
    const weak = [...(signingKeys.read(text) ?? [])].flatMap(([keyId, secret]) => {
      const weakness = weaknessOf(secret, own)
      return weakness ? [`the secret of the key ${keyId} ${weakness}`] : []
    })
    return weak.length > 0
      ? {
          problem: `is too weak: ${weak.join('; ')}`,
          remedy: 'Give such a key the output of: openssl rand -hex 32',
        }
      : undefined
  },
}

/** A key of random bytes. */
export const randomBytes: Rule = {
  asks: 'random bytes, not zeros or a text',
  check: (text) =>
    checkSecret(text, own, newSecret) ??
    checkSecret(Buffer.from(text, 'base64').toString('latin1'), own, newSecret),
}

/** An address with TLS, except on this machine. */
export const encrypted: Rule = {
  asks: '`https`; `http` only for this machine (`localhost`, 127.0.0.1), with a warning',
  check(text) {
    const { protocol, hostname } = new URL(text)
    if (protocol === 'https:') return undefined
    if (isLoopback(hostname)) return { warning: 'is not encrypted: such an address is for this machine only' }
    return { problem: 'is an http address, which is not encrypted', remedy: 'Write an https address' }
  },
}

/** The same for each origin of a list. */
export const encryptedOrigins: Rule = {
  asks: '`https`; `http` only for this machine',
  check(text) {
    const open = (origins.read(text) ?? []).filter((one) => encrypted.check(one) !== undefined)
    return open.every((one) => isLoopback(new URL(one).hostname))
      ? undefined
      : { problem: 'has an http origin, which is not encrypted', remedy: 'Write https origins' }
  },
}

/** 0 means "no limit". */
export const notZero: Rule = {
  asks: 'not 0',
  check: (text) =>
    Number(text) === 0
      ? { problem: 'is 0, which is for tests only', remedy: 'Write a limit, or leave it out' }
      : undefined,
}

/** A switch that is only for trials. */
export const switchedOff: Rule = {
  asks: '`false`',
  check: (text) =>
    text.trim() === 'true'
      ? { problem: 'is true, which is for trials only', remedy: 'Leave it out' }
      : undefined,
}

/** Anybody can write headers; only the proxies that are known are believed. */
export const countedProxies: Rule = {
  asks: 'a number or addresses; `true` gives a warning',
  check: (text) =>
    text.trim() === 'true'
      ? {
          warning:
            'is true: the address of a caller is the first one in X-Forwarded-For, which every caller can write. ' +
            'Write the number of proxies in front of the API, or their addresses',
        }
      : undefined,
}

/** Whether a host, as in a URL or alone, is this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback'
}

function checkSecret(secret: string, strength: Strength, remedy: string): Problem | undefined {
  const weakness = weaknessOf(secret, strength)
  return weakness === undefined ? undefined : { problem: weakness, remedy }
}

/** What makes a secret easy to guess, without a part of it; undefined if nothing that can be seen does. */
function weaknessOf(secret: string, { characters, variety }: Strength): string | undefined {
  if (placeholder.test(secret)) return 'is a placeholder'
  const rest = secret.replace(commonWords, '')
  if (rest.length < characters)
    return `has fewer than ${characters} characters, not counting words such as "secret"`
  const steps = [...rest].slice(1).map((_, at) => rest.charCodeAt(at + 1) - rest.charCodeAt(at))
  const varied = Math.min(new Set(rest).size, new Set(steps).size)
  return varied < variety ? 'repeats a few characters, or counts through them' : undefined
}
