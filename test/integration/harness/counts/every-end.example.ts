import { afterAll, beforeAll, describe, expect, it } from 'vitest'

it('passes', () => {})
it.skip('is skipped', () => {})
it.todo('is not written yet')
it('fails', () => expect(1).toBe(2))
it('leaves an error', async () => {
  void Promise.reject(new Error('stray'))
  await new Promise((resolve) => setTimeout(resolve, 50))
})

describe('a group that fails in beforeAll', () => {
  beforeAll(() => {
    throw new Error('no beginning')
  })
  it('never runs', () => {})
})

describe('a group that cannot end', () => {
  afterAll(() => {
    throw new Error('no end')
  })
  it('passes all the same', () => {})
})
