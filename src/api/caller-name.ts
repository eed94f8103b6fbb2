import ipaddr from 'ipaddr.js'
import type { Caller } from '../domain/rights/principal.ts'

/** The name under which the requests of a verified caller are counted. */
export function nameOf(caller: Caller): string {
  switch (caller.kind) {
    case 'producer':
      return `key:${caller.keyId}`
    case 'person':
      return `person:${caller.personId}`
    case 'recipient':
      return `subject:${caller.subjectId}`
    case 'event':
      return `event:${caller.keyId}`
    case 'adapter':
      return `adapter:${caller.channel}`
  }
}

/** Bytes of an IPv6 address that a provider assigns to one customer (RFC 6177): the rest is theirs to choose. */
const networkBytes = 8

/** The name under which the requests of an unverified client are counted: its address, or its network in IPv6. */
export function addressNameOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return `address:${ip}`
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return `address:${address.toString()}`
  const network = address.toByteArray().map((byte, index) => (index < networkBytes ? byte : 0))
  return `address:${ipaddr.fromByteArray(network).toString()}/64`
}
