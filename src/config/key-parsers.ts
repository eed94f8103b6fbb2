import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { EventSource } from '../contract/events/event.ts'
import type { SigningSources } from '../domain/event/signing-sources.ts'
import type { Parser } from './parser.ts'

/** Secrets of the keys that sign events, by key id: `id:secret,id:secret`. A secret may contain colons, an id may not. */
export const signingKeys: Parser<ReadonlyMap<string, string>> = {
  takes: 'keyId:secret, or several of these with different ids, separated by commas',
  read(input) {
    const pairs = entriesOf(input).map((pair) => /^\s*([^:\s]+):\s*(\S|\S.*\S)\s*$/.exec(pair))
    const keys = new Map(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
    return pairs.every((pair) => pair !== null) && keys.size === pairs.length ? keys : undefined
  },
}

/** `id:source+source,id:source`. Sources are percent-encoded as in a path, since they may contain a plus or a comma. */
export const signingSources: Parser<SigningSources> = {
  takes: 'keyId:source+source, or several of these with different ids, separated by commas',
  read(input) {
    const pairs = entriesOf(input).map((pair) => /^\s*([^:\s]+):\s*(\S+)\s*$/.exec(pair))
    const named = pairs.map((pair) => [pair?.[1] ?? '', readSources(pair?.[2] ?? '')] as const)
    const valid = named.every(([, names]) => names.every((name) => EventSource.safeParse(name).success))
    const sources = new Map(named.map(([keyId, names]) => [keyId, new Set(names)]))
    return valid && sources.size === pairs.length ? sources : undefined
  },
}

/** An empty text has no entries; otherwise an empty entry is one, and is refused. */
function entriesOf(input: string): string[] {
  return input === '' ? [] : input.split(',')
}

function readSources(input: string): string[] {
  try {
    return input.split('+').map(decodeURIComponent)
  } catch {
    return [''] // no source: the setting is refused
  }
}

/** A key of 32 bytes in base64. */
export const randomKey: Parser<string> = {
  takes: '32 random bytes in base64, the output of: openssl rand -base64 32',
  read: (input) => (Buffer.from(input, 'base64').length === 32 ? input : undefined),
}

/** Several such keys, separated by commas. */
export const randomKeys: Parser<string[]> = {
  takes: 'keys of 32 random bytes in base64, separated by commas',
  read(input) {
    const keys = entriesOf(input).map((key) => randomKey.read(key.trim()))
    return keys.every((key) => key !== undefined) ? keys : undefined
  },
}

/** A credential that is sent in a header. */
export const headerText: Parser<string> = {
  takes: 'ASCII characters without spaces',
  read: (input) => (/^[!-~]+$/.test(input) ? input : undefined),
}

/** Headers of HTTP as OpenTelemetry writes them: `name=value,name=value`, values percent-encoded. */
export const headerList: Parser<Readonly<Record<string, string>>> = {
  takes: 'name=value, or several of these separated by commas, percent-encoded',
  read(input) {
    const pairs = entriesOf(input).map((pair) => /^\s*([\w-]+)\s*=\s*([!-~]+)\s*$/.exec(pair))
    if (!pairs.every((pair) => pair !== null)) return undefined
    try {
      return Object.fromEntries(pairs.map(([, name, value]) => [name, decodeURIComponent(value!)]))
    } catch {
      return undefined
    }
  },
}

const pemTakes = 'in PEM, whose line breaks may be written as \\n'

/** A private RSA key in PEM. */
export const rsaKey: Parser<string> = {
  takes: `a private RSA key ${pemTakes}`,
  read: (input) => (privateKeyOf(pemOf(input))?.asymmetricKeyType === 'rsa' ? pemOf(input) : undefined),
}

/** A private key in PEM, of any type. */
export const privateKey: Parser<string> = {
  takes: `a private key ${pemTakes}`,
  read: (input) => (privateKeyOf(pemOf(input)) ? pemOf(input) : undefined),
}

/** One or more certificates in PEM; the first must be readable. */
export const certificates: Parser<string> = {
  takes: `certificates ${pemTakes}`,
  read: (input) => (certificateOf(pemOf(input)) ? pemOf(input) : undefined),
}

/** Whether a private key is that of the first certificate of a text. */
export function isKeyOf(certificate: string, key: string): boolean {
  const keyObject = privateKeyOf(key)
  return keyObject !== undefined && certificateOf(certificate)?.checkPrivateKey(keyObject) === true
}

/** A variable has one line in many places. */
function pemOf(input: string): string {
  return input.replaceAll('\\n', '\n')
}

function privateKeyOf(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}
