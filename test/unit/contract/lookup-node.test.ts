import { describe, expect, it } from 'vitest'
import { LookupNode, ScenarioNode } from '../../../src/contract/scenarios/graph.ts'
import { GivenVariable } from '../../../src/contract/templates/template.ts'

const at = (url: string) =>
  LookupNode.safeParse({ id: 'ask', kind: 'lookup', method: 'GET', url, variables: [] }).success

it('the address of a Lookup may have a query, without the subject that Carillon writes there', () => {
  expect(at('https://orders.example.edu/find?kind=open')).toBe(true)
  for (const query of ['subject=1', 'a=b&subject', '%73ubject=1', 'a=b&subject=1&c=d'])
    expect(at(`https://orders.example.edu/find?${query}`), query).toBe(false)
})

describe('the address of a Lookup is refused', () => {
  const issuesOf = (url: string, variables: string[] = [], method = 'GET') =>
    LookupNode.safeParse({ id: 'ask', kind: 'lookup', method, url, variables }).error?.issues.map(
      ({ path, message }) => [path.join('.'), message],
    )

  it('with Liquid in it, and says how variables are sent', () => {
    for (const place of ['order/{{ orderId }}', 'find?{% if a %}b{% endif %}'])
      expect(issuesOf(`https://orders.example.edu/${place}`)).toEqual([
        ['url', expect.stringMatching(/`variables`.*query \(GET\).*body \(POST\)/)],
      ])
  })

  it('with a fragment, which would not be sent', () => {
    for (const end of ['#top', '#'])
      expect(issuesOf(`https://orders.example.edu/find${end}`)).toEqual([
        ['url', expect.stringContaining('fragment')],
      ])
  })

  it('with a variable that its query has already, unless that goes into the body', () => {
    const url = 'https://orders.example.edu/find?day=1'
    expect(issuesOf(url, ['x', 'day'])).toEqual([['variables.1', expect.stringContaining('day')]])
    expect(issuesOf(url, ['day'], 'POST')).toBeUndefined()
  })
})

describe('__proto__, which readers of JSON lose,', () => {
  const text = { 'zh-TW': '選' }
  const asking = (message: object, parts: object = {}) => ({
    ...{ id: 'ask', kind: 'question', timeoutSeconds: 60, message, ...parts },
  })
  const plain = { kind: 'text', text }
  const button = (action: object) => ({ kind: 'buttons', text, actions: [{ label: text, ...action }] })
  it.each([
    ['id', { id: '__proto__', kind: 'end' }],
    ['saveAs', asking(plain, { saveAs: '__proto__' })],
    [
      'message.options.0.id',
      asking({ kind: 'quickReply', text, options: [{ id: '__proto__', label: text }] }),
    ],
    ['message.actions.0.data.o', asking(button({ kind: 'postback', data: { v: 1, o: '__proto__' } }))],
    [
      'message.actions.0.optionId',
      asking(button({ kind: 'nextNode', nodeId: 'end', optionId: '__proto__' })),
    ],
    [
      'variables.0',
      { id: 'a', kind: 'lookup', method: 'GET', url: 'https://a.example', variables: ['__proto__'] },
    ],
    ['variables.0', { id: 'on', kind: 'jump', scenarioId: 's', variables: ['__proto__'] }],
  ])('is refused as a name: %s', (path, node) => {
    const { error } = ScenarioNode.safeParse(node)
    expect(error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([
      [path, expect.stringContaining('__proto__')],
    ])
  })

  it('is refused as a variable of a template or scenario', () => {
    expect(GivenVariable.safeParse({ name: '__proto__' }).success).toBe(false)
    expect(GivenVariable.safeParse({ name: 'proto' }).success).toBe(true)
  })
})
