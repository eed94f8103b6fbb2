import { expect, it } from 'vitest'
import { addressNameOf } from '../../../src/api/caller-name.ts'

it.each([
  ['192.0.2.7', 'address:192.0.2.7'],
  ['::ffff:192.0.2.7', 'address:192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', 'address:2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', 'address:2001:db8:1:3::/64'],
  ['', 'address:'],
])('the client %s is counted as %s', (ip, name) => {
  expect(addressNameOf(ip)).toBe(name)
})
