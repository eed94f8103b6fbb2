import { expect, it } from 'vitest'
import { LookupNode } from '../../../src/contract/scenarios/graph.ts'

const at = (url: string) =>
  LookupNode.safeParse({ id: 'ask', kind: 'lookup', method: 'GET', url, variables: [] }).success

it('the address of a Lookup may have a query, without the subject that Carillon writes there', () => {
  expect(at('https://orders.example.edu/find?kind=open')).toBe(true)
  for (const query of ['subject=1', 'a=b&subject', '%73ubject=1', 'a=b&subject=1&c=d'])
    expect(at(`https://orders.example.edu/find?${query}`), query).toBe(false)
})
