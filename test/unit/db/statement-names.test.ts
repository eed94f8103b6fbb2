import { expect, it } from 'vitest'
import { statementNames } from '../../../src/db/statement-names.ts'

function named(text: string, times: number, values: unknown[] = [1]) {
  const names = statementNames()
  return Array.from({ length: times }, () => names.nameOf(text, values))
}

it('names a statement with parameters at its third use, always the same', () => {
  const [first, second, third, fourth] = named('select $1', 4)
  expect([first, second]).toEqual([undefined, undefined])
  expect(third).toMatch(/^0_[\w-]{22}$/)
  expect(fourth).toBe(third)
})

it('names no statement without parameters, and none whose plan depends on its values', () => {
  expect(named('commit', 5, [])).toEqual(Array(5).fill(undefined))
  expect(named('update delivery set state = $1', 5)).toEqual(Array(5).fill(undefined))
  expect(named('select count(*) from (select $1) as audience', 5)).toEqual(Array(5).fill(undefined))
  expect(named('insert into delivery select id from delivery where wave_id = $1', 5)).toEqual(
    Array(5).fill(undefined),
  )
})

it('names what adds deliveries, and an audience of individuals', () => {
  expect(named('insert into "message" ("audience") values ($1)', 3).at(-1)).toBeDefined()
  expect(named('with a as (insert into delivery values ($1)) select from a', 3).at(-1)).toBeDefined()
  expect(named('select count(*) from (select $1) as individuals', 3).at(-1)).toBeDefined()
})

it('names nothing for a long list, and the same statement for a short one', () => {
  const names = statementNames()
  const text = 'select from subject where uid = any($1)'
  const of = (length: number) => names.nameOf(text, [Array(length).fill('x')])
  expect([of(1), of(1)]).toEqual([undefined, undefined])
  expect(of(1)).toBeDefined()
  expect(of(100_000)).toBeUndefined()
  expect(of(100)).toBeDefined()
})

it('gives at most two hundred names, and new ones once a table has changed', () => {
  const names = statementNames()
  const threeTimes = (n: number) => [1, 2, 3].map(() => names.nameOf(`select $1, ${n}`, [n])).at(-1)
  const nameLists = Array.from({ length: 250 }, (_, n) => threeTimes(n))
  expect(nameLists.filter((name) => name !== undefined)).toHaveLength(200)
  expect(new Set(nameLists.slice(0, 200)).size).toBe(200)
  names.forget()
  expect(threeTimes(0)).not.toBe(nameLists[0])
})
