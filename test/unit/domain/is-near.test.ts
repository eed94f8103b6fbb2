import { expect, it } from 'vitest'
import { isNear } from '../../../src/domain/scenario/named-variables.ts'

it.each([
  ['nmae', 'name'],
  ['dya', 'day'],
  ['nam', 'name'],
  ['names', 'name'],
  ['nome', 'name'],
  ['xname', 'name'],
])('%s is one slip from %s, both ways', (one, other) => {
  expect([isNear(one, other), isNear(other, one)]).toEqual([true, true])
})

it.each([
  ['name', 'day'],
  ['na', 'name'],
  ['no', 'on'],
  ['emna', 'name'],
])('%s is no slip of %s', (one, other) => {
  expect([isNear(one, other), isNear(other, one)]).toEqual([false, false])
})
