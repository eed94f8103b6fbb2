import { expect, it } from 'vitest'
import { throttleParsing } from '../../../../src/api/plugins/json.ts'

it('parses large bodies one after another, and small ones at once between them', async () => {
  const parsed: string[] = []
  const parse = async (name: string, length: number) => {
    await throttleParsing(length)
    parsed.push(name)
  }
  const large = [1, 2, 3].map((n) => parse(`large ${n}`, 100_000))
  const others = new Promise<void>((done) => {
    setImmediate(() => setImmediate(() => void parse('small', 10).then(done)))
  })
  await Promise.all([...large, others])
  expect(parsed.filter((name) => name !== 'small')).toEqual(['large 1', 'large 2', 'large 3'])
  expect(parsed.indexOf('small')).toBeLessThan(3)
})
