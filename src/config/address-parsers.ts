import ipaddr from 'ipaddr.js'
import { type AllowedTarget, readAllowedTarget } from '../domain/lib/allowed-target.ts'
import type { Parser } from './parser.ts'

/** The sender of mail: `Name <address>` or an address. */
export const mailbox: Parser<{ name: string; address: string }> = {
  takes: 'an address, or: Name <address>',
  read(input) {
    const match = /^(?:([^<>\r\n]*?)\s*<([^\s<>@]+@[^\s<>@]+)>|([^\s<>@]+@[^\s<>@]+))$/.exec(input.trim())
    const address = match?.[2] ?? match?.[3]
    if (address === undefined) return undefined
    return { name: match?.[1]?.replace(/^"(.*)"$/, '$1') || address, address }
  },
}

/** More proxies than stand in front of any API. */
const mostHops = 10
/** Names of ranges of addresses, as Fastify knows them. */
const namedRanges = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** Which X-Forwarded-* headers to believe: those of the last proxies (a number), of these addresses, of all, of none. */
type TrustedProxies = boolean | number | string[]

export const trustedProxies: Parser<TrustedProxies> = {
  takes:
    `false, the number of proxies in front of the API (1 to ${mostHops}), ` +
    'or their addresses or networks, separated by commas',
  read(input) {
    const value = input.trim()
    if (value === 'true' || value === 'false') return value === 'true'
    if (/^\d+$/.test(value))
      return Number(value) >= 1 && Number(value) <= mostHops ? Number(value) : undefined
    const ranges = entriesOf(value)
    return ranges.length > 0 && ranges.every(isRange) ? ranges : undefined
  },
}

function isRange(range: string): boolean {
  const [address = '', bits, ...more] = range.split('/')
  if (more.length > 0 || !isAddress(address)) return namedRanges.has(range)
  const most = ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most)
}

/** An address as people write it: of IPv4, four decimal numbers. */
function isAddress(text: string): boolean {
  return ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text)
}

export const allowedTargets: Parser<AllowedTarget[]> = {
  takes: 'host:port, host:* or host, or several of these, separated by commas',
  read(input) {
    const targets = entriesOf(input).map(readAllowedTarget)
    return targets.every((target) => target !== undefined) ? targets : undefined
  },
}

/** Origins as browsers write them: scheme, host and, unless it is the scheme's own, port. */
export const origins: Parser<string[]> = {
  takes: 'origins such as https://app.example.edu, without a path, separated by commas',
  read(input) {
    const all = entriesOf(input)
    return all.every(isOrigin) ? all : undefined
  },
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

function entriesOf(input: string): string[] {
  return input
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}
