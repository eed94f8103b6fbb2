import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAllowedTarget, readAllowedTarget } from '../../../src/domain/lib/allowed-target.ts'

/** Whether an address may be called, by the targets as they are written. */
function allows(spelling: string, address: string): boolean {
  const { protocol, hostname, port } = new URL(address)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isAllowedTarget([readAllowedTarget(spelling)!], { protocol, host, port })
}

describe('a target that callbacks may call', () => {
  it('is a host with a port, with every port, or alone', () => {
    expect(readAllowedTarget('hooks.internal:8080')).toEqual({ host: 'hooks.internal', port: 8080 })
    expect(readAllowedTarget('hooks.internal:*')).toEqual({ host: 'hooks.internal', port: '*' })
    expect(readAllowedTarget('Hooks.Internal')).toEqual({ host: 'hooks.internal', port: null })
    expect(readAllowedTarget('[fd00::5]:8080')).toEqual({ host: 'fd00::5', port: 8080 })
    for (const spelling of ['fd00::5', '[fd00:0::5]'])
      expect(readAllowedTarget(spelling)).toEqual({ host: 'fd00::5', port: null })
  })

  it.each([
    '',
    '*',
    '*:80',
    '*.internal',
    'a:0',
    'a:65536',
    'a:',
    ':80',
    'a:b',
    'http://a',
    'a/b',
    'me@a',
    'a b',
    'a:1:2',
  ])('is not %j', (spelling) => expect(readAllowedTarget(spelling)).toBeUndefined())

  it('with a port is called there and nowhere else, over http and https', () => {
    const port = fc.integer({ min: 1, max: 65_535 })
    fc.assert(
      fc.property(port, port, fc.constantFrom('http', 'https'), (allowed, called, scheme) => {
        const address = `${scheme}://hooks.internal:${called}/path`
        expect(allows(`hooks.internal:${allowed}`, address)).toBe(allowed === called)
        expect(allows('hooks.internal:*', address)).toBe(true)
        expect(allows(`other.internal:${called}`, address)).toBe(false)
        expect(allows('other.internal:*', address)).toBe(false)
      }),
    )
  })

  it('alone is called at the port of the scheme', () => {
    expect(allows('hooks.internal', 'http://hooks.internal/')).toBe(true)
    expect(allows('hooks.internal', 'https://hooks.internal:443/')).toBe(true)
    for (const address of [
      'http://hooks.internal:443/',
      'https://hooks.internal:80/',
      'https://hooks.internal:8443/',
    ])
      expect(allows('hooks.internal', address), address).toBe(false)
  })
})
