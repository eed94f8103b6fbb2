import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isOneOf, reservedNames } from '../../../src/contract/enums.ts'
import { LookupNode } from '../../../src/contract/scenarios/graph.ts'

const accepts = (url: string, parts: object = {}) =>
  LookupNode.safeParse({ id: 'ask', kind: 'lookup', method: 'GET', url, variables: [], ...parts }).success
const withQuery = (query: string) => `https://orders.example.edu/lookups?${query}`

it.each([
  'subject=x',
  'subject',
  'a=1&subject=x',
  'Subject=x',
  'SUBJECT=x',
  'subject[]=x',
  'subject[0]=x',
  'subject%5B%5D=x',
  'subject.id=x',
  'subject:list=x',
  '+subject=x',
  '%20subject=x',
  'subject+=x',
  'subject%00=x',
  'sub%0Aject=x',
  'sub%E2%80%8Bject=x',
  'a=1;subject=x',
  'a=1%3Bsubject=x',
  'a=1%26subject%3Dx',
  'a=1?subject=x',
  '%73ubject=x',
  '%2573ubject=x',
  '%252573ubject=x',
  '%u0073ubject=x',
  '%c1%b3ubject=x',
  's%ubject=x',
  '%EF%BD%93ubject=x',
  '%C5%BFubject=x',
  's%C3%BAbject=x',
  '%22subject%22=x',
  '[subject]=x',
  '&&subject=x',
])('an address with %s, which some reader takes for the subject, is refused', (query) => {
  expect(accepts(withQuery(query))).toBe(false)
})

it.each(['https://a.example.edu/lookups;subject=x', 'https://a.example.edu/lookups%3Fsubject=x'])(
  '%s is refused, whose path some reader takes for a query',
  (url) => expect(accepts(url)).toBe(false),
)

it.each(reservedNames)('an address with %s, which Carillon fills, is refused by either method', (name) => {
  for (const method of ['GET', 'POST'])
    for (const query of [
      `${name}=x`,
      `a=1&${name.toUpperCase()}[]=x`,
      `a=1;${name}`,
      `%${name.charCodeAt(0).toString(16)}${name.slice(1)}=x`,
    ])
      expect(accepts(withQuery(query), { method }), `${method} ${query}`).toBe(false)
  expect(accepts(withQuery(`my_${name}=x&${name}s=all&a=${name}`))).toBe(true)
})

it.each(['subject', 'Subject', 'uid', 'UID', 'Uid', 'uId'])('a variable list without %s', (name) => {
  for (const method of ['GET', 'POST'])
    expect(accepts('https://orders.example.edu/lookups', { method, variables: ['day', name] })).toBe(false)
})

it.each([
  'subject_id=1',
  'subjects=all',
  'subject-code=1',
  'mysubject=1',
  'my_subject=1',
  'topic=subject',
  'q=100%25&kind=o%20pen',
  'order[subject]=1',
  '%A4%A4=1',
])('an address with %s is taken', (query) => {
  expect(accepts(withQuery(query))).toBe(true)
})

it('a path that names subjects is taken', () => {
  expect(accepts('https://subject.example.edu/subject?kind=1')).toBe(true)
})

/** Ways to write one character that readers undo. */
const spellings = [
  (character: string) => character,
  (character: string) => character.toUpperCase(),
  (character: string) => `%${character.charCodeAt(0).toString(16)}`,
  (character: string) => `%25${character.charCodeAt(0).toString(16)}`,
  (character: string) => `%u00${character.charCodeAt(0).toString(16)}`,
  (character: string) => `%00${character}`,
]

it('however its characters are spelt and whatever stands around it, subject is refused', () => {
  const spelt = fc.tuple(
    ...[...'subject'].map((one) => fc.constantFrom(...spellings).map((spell) => spell(one))),
  )
  const before = fc.constantFrom(
    '',
    'a=1&',
    'a=1;',
    'a=1%26',
    'a=1%3b',
    '&',
    '+',
    '%20',
    '%09',
    'a=%253Bb%2526',
  )
  const after = fc.constantFrom('', '=x', '[]=x', '%5b1%5d=x', '.id=x', '%00=x', '+=x', '%3dx', '&b=1', ';b')
  fc.assert(
    fc.property(before, spelt, after, (left, name, right) => {
      expect(accepts(withQuery(`${left}${name.join('')}${right}`))).toBe(false)
    }),
  )
})

it('names that are not it are taken, as every value is', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,9}$/).filter((one) => !isOneOf(reservedNames, one))
  const fields = fc.array(
    fc.tuple(
      name,
      fc.string({ unit: 'grapheme' }).map((one) => one.replace(/[?&;%]/g, '')),
    ),
  )
  fc.assert(
    fc.property(fields, (all) => {
      expect(accepts(withQuery(new URLSearchParams(all).toString()))).toBe(true)
    }),
  )
})

it.each(['GET', 'POST'])('a %s sends no variable that could be read as the subject', (method) => {
  const url = withQuery('kind=1')
  expect(accepts(url, { method, variables: ['Subject'] })).toBe(false)
  expect(accepts(url, { method, variables: ['subject'] })).toBe(false)
  expect(accepts(url, { method, variables: ['subject_id'] })).toBe(true)
})

it('a GET sends no variable that could be read as a field of its address', () => {
  expect(accepts(withQuery('OrderId=1'), { variables: ['orderId'] })).toBe(false)
  expect(accepts(withQuery('a=1;orderId[]=1'), { variables: ['orderId'] })).toBe(false)
  expect(accepts(withQuery('OrderId=1'), { method: 'POST', variables: ['orderId'] })).toBe(true)
})
