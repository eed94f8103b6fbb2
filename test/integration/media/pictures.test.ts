import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { openPictures } from '../../../src/services/media/pictures.ts'
import { noise, photo } from '../../fixtures/pictures.ts'

const pictures = openPictures()
afterAll(() => pictures.close())

/** The processes that draw pictures for this one. */
function drawingProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return Number(parent) === process.pid && command.includes('picture-process')
      } catch {
        return false
      }
    })
}

it('one unit’s pictures wait for no more than one of another', async () => {
  const slow = await noise(1_500)
  const quick = await photo()
  const ended: string[] = []
  const draw = (unitId: string, bytes: Buffer) =>
    pictures.draw(unitId, bytes).then(() => void ended.push(unitId))
  const all = [draw('a', slow), draw('a', slow), draw('a', slow), draw('b', quick), draw('c', quick)]
  await Promise.all(all)
  expect(ended).toEqual(['a', 'b', 'c', 'a', 'a'])
})

it('a unit that has used up its time is told when to come again, and others go on', async () => {
  const used = openPictures({ mostMs: 1, share: 0.001 })
  await used.draw('a', await noise(300))
  await expect(used.draw('a', await photo())).rejects.toMatchObject({
    code: 'rate_limited',
    afterMs: expect.any(Number),
  })
  expect(await used.draw('b', await photo())).toMatchObject({ type: 'image/jpeg' })
  used.close()
})

it('a process that died while nothing was drawn fails no upload', async () => {
  const bytes = await photo()
  const before = drawingProcesses()
  const own = openPictures()
  await own.draw('a', bytes)
  const [pid, ...others] = drawingProcesses().filter((one) => !before.includes(one))
  expect(others).toEqual([])
  process.kill(pid!, 'SIGKILL')
  expect(await own.draw('a', bytes)).toMatchObject({ type: 'image/jpeg' })
  own.close()
})
