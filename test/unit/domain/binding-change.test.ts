import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AudienceDimensions } from '../../../src/domain/audience/audience.ts'
import { type BindingRule, narrows, takesEffectAtOnce } from '../../../src/domain/event/binding-change.ts'

const some = <T>(...values: T[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 }), { nil: undefined })
const dimensions = fc.record({
  roles: some('student' as const, 'teacher' as const, 'staff' as const),
  tags: some('a', 'b', 'c'),
  history: some(
    { kind: 'answered' as const, messageId: 'm' },
    { kind: 'answered' as const, messageId: 'm', optionId: 'yes' },
    { kind: 'received' as const, messageId: 'm' },
  ),
})
const query = fc
  .record({ query: dimensions, exclude: fc.option(dimensions, { nil: undefined }) })
  .map(({ query, exclude }) => ({ kind: 'query' as const, ...query, ...(exclude && { exclude }) }))
const audience = fc.oneof(fc.constant({ kind: 'event_subjects' as const }), query)
const message = (templateId: string | null) => ({ templateId, scenarioId: null, runPer: null })
const runs = (scenarioId: string, runPer: 'subject' | 'event') => ({ templateId: null, scenarioId, runPer })
const makes = fc.constantFrom(
  ...[message(null), message('t1'), message('t2')],
  ...[runs('s1', 'subject'), runs('s1', 'event'), runs('s2', 'subject')],
)
const rule: fc.Arbitrary<BindingRule> = fc
  .record({
    source: fc.constantFrom('sis', 'library'),
    type: fc.constantFrom('x', 'y'),
    categoryId: fc.constantFrom('news', 'safety'),
    makes,
    audience,
    keyIds: fc.option(fc.uniqueArray(fc.constantFrom('k1', 'k2'), { minLength: 1 }), { nil: null }),
    enabled: fc.boolean(),
  })
  .map(({ makes, ...others }) => ({ ...others, ...makes }))

/** The fields that change together. */
const fields = ['audience', 'keyIds', 'enabled', 'makes', 'type']
const together: string[] = ['templateId', 'scenarioId', 'runPer']

/** Pairs that differ in a field or two, so that one often narrows the other. */
const pair = fc.tuple(rule, rule, fc.uniqueArray(fc.constantFrom(...fields))).map(([old, other, names]) => {
  const isChanged = (name: string) => names.includes(together.includes(name) ? 'makes' : name)
  const changed = Object.fromEntries(Object.entries(other).filter(([name]) => isChanged(name)))
  return { old, next: { ...old, ...changed } as BindingRule }
})

type Person = { role: string; tags: string[]; history: string[] }
const people: Person[] = ['student', 'teacher', 'staff', 'none'].flatMap((role) =>
  [[], ['a'], ['b'], ['a', 'c']].flatMap((tags) =>
    [[], ['received m'], ['answered m'], ['answered m', 'answered m yes']].map((history) => ({
      ...{ role, tags, history },
    })),
  ),
)
const events = ['sis', 'library'].flatMap((source) =>
  ['x', 'y'].flatMap((type) => ['k1', 'k2', 'k3'].map((keyId) => ({ source, type, keyId }))),
)

function matches({ role, tags, history }: Person, wanted: AudienceDimensions): boolean {
  return (
    (wanted.roles?.some((name) => name === role) ?? true) &&
    (wanted.tags?.some((tag) => tags.includes(tag)) ?? true) &&
    (wanted.history?.some((entry) =>
      history.includes(
        [entry.kind, 'messageId' in entry && entry.messageId, 'optionId' in entry && entry.optionId]
          .filter(Boolean)
          .join(' '),
      ),
    ) ??
      true)
  )
}

/** What a version makes of an event: category and template of a message, or scenario of runs, and everyone it is for. */
function messageOf(rule: BindingRule | null, event: (typeof events)[number]) {
  if (!rule?.enabled || (rule.templateId ?? rule.scenarioId) === null) return null
  if (rule.source !== event.source || rule.type !== event.type) return null
  if (rule.keyIds && !rule.keyIds.includes(event.keyId)) return null
  const { audience } = rule
  const to =
    audience.kind === 'event_subjects'
      ? ['its subjects']
      : people
          .map((person, n) => ({ person, n }))
          .filter(({ person }) => matches(person, audience))
          .filter(({ person }) => !audience.exclude || !matches(person, audience.exclude))
          .map(({ n }) => `person ${n}`)
  return { what: `${rule.categoryId} ${rule.templateId} ${rule.scenarioId} ${rule.runPer}`, to }
}

describe('a version that narrows another', () => {
  it('makes no message and no run, and reaches nobody, that the other would not', () => {
    fc.assert(
      fc.property(pair, ({ old, next }) => {
        fc.pre(narrows(next, old))
        for (const event of events) {
          const after = messageOf(next, event)
          if (after === null) continue
          const before = messageOf(old, event)
          expect(before?.what).toBe(after.what)
          expect(before?.to).toEqual(expect.arrayContaining(after.to))
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('narrows what that one narrows, and every version narrows itself', () => {
    fc.assert(
      fc.property(pair, rule, ({ old, next }, third) => {
        expect(narrows(old, old)).toBe(true)
        if (narrows(next, old) && narrows(third, next)) expect(narrows(third, old)).toBe(true)
      }),
    )
  })

  it('is every one that is disabled or has neither template nor scenario, whatever else it changes', () => {
    fc.assert(
      fc.property(rule, fc.option(rule), (next, old) => {
        expect(narrows({ ...next, enabled: false }, old)).toBe(true)
        expect(narrows({ ...next, ...message(null) }, old)).toBe(true)
      }),
    )
  })

  it('is one with fewer values, more dimensions, fewer keys, or more people excluded', () => {
    const old: BindingRule = {
      ...{ source: 'sis', type: 'x', categoryId: 'news', ...message('t1'), enabled: true },
      audience: { kind: 'query', roles: ['student', 'staff'], exclude: { tags: ['a'], roles: ['staff'] } },
      keyIds: ['k1', 'k2'],
    }
    const { kind, roles, exclude } = old.audience as Extract<BindingRule['audience'], { kind: 'query' }>
    const changes: [Partial<BindingRule>, boolean][] = [
      [{ audience: { kind, roles: ['staff'], exclude } }, true],
      [{ audience: { kind, roles, tags: ['b'], exclude } }, true],
      [{ audience: { kind, roles, exclude: { kind: 'query', tags: ['b', 'a'] } } }, true],
      [{ keyIds: ['k2'] }, true],
      [{ audience: { kind, roles: ['staff', 'teacher'], exclude } }, false],
      [{ audience: { kind, tags: ['b'], exclude } }, false],
      [{ audience: { kind, roles } }, false],
      [{ audience: { kind, roles, exclude: { tags: ['b'] } } }, false],
      [{ audience: { kind: 'event_subjects' } }, false],
      [{ keyIds: null }, false],
      [{ keyIds: ['k3'] }, false],
      [{ type: 'y' }, false],
      [{ source: 'library' }, false],
      [{ categoryId: 'safety' }, false],
      [{ templateId: 't2' }, false],
      [runs('s1', 'subject'), false],
    ]
    for (const [change, expected] of changes)
      expect([change, narrows({ ...old, ...change }, old)]).toEqual([change, expected])
  })
})

it('what takes effect at once narrows, or is new or as before, to the event’s subjects and approved', () => {
  const enabledRule = rule.map((each) => ({ ...each, enabled: true, ...message('t1') }))
  fc.assert(
    fc.property(
      rule,
      fc.option(rule),
      fc.option(enabledRule),
      fc.boolean(),
      (next, inForce, before, approved) => {
        const makesNone =
          inForce === null || !inForce.enabled || (inForce.templateId ?? inForce.scenarioId) === null
        const lastMaking = makesNone ? before : inForce
        const asBefore = lastMaking === null || narrows(next, lastMaking)
        const isNew = makesNone && next.audience.kind === 'event_subjects' && approved && asBefore
        expect(takesEffectAtOnce(next, { inForce, lastMaking }, approved)).toBe(
          isNew || narrows(next, inForce),
        )
      },
    ),
  )
})
