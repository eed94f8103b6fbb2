import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { connectLibrary } from '../../fixtures/library.ts'
import { quietly, runIn } from '../../fixtures/published-client.ts'
import { hasPython } from '../../fixtures/python.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
const library = forFile(() => connectLibrary(api))
/** The page as it is served: its reader has nothing else. */
let page: string
beforeAll(async () => {
  for (const n of [1, 2, 3, 4, 5]) {
    const { id } = await insertRow(api.database.db, 'subject', {
      uid: `t${n}`,
      roles: ['teacher'],
      stage: 'member',
    })
    await insertRow(api.database.db, 'address', { subject_id: id, channel: 'chat', address: `Ut${n}` })
  }
  page = (await api.app.inject('/docs/api/first-program.md')).body
})

/** The text in the first block of a kind. */
function blockOf(kind: string): string {
  const [, text] = new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\``, 'ms').exec(page)!
  return text!
}

/** An empty folder outside of the repository, and the two variables of the page; npm asks no registry for news. */
function reader(key: string) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-reader-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const npm = Object.fromEntries(
    [
      ...quietly(folder)
        .join(' ')
        .matchAll(/--(no-)?([a-z-]+)(?: (\/\S+))?/g),
    ].map(([, no, name, value]) => [
      `npm_config_${name!.replaceAll('-', '_')}`,
      value ?? String(no === undefined),
    ]),
  )
  const own = { CARILLON_URL: library.baseUrl, CARILLON_KEY: key, PYTHONUTF8: '1', ...npm }
  return { folder, env: { PATH: process.env.PATH, HOME: folder, ...own } }
}

/** What the page says that a program prints, with what differs. */
const counted = (unit: string) =>
  new RegExp(`^The key test acts for ${unit}\\.\nIn [\\w-]+, it would reach 5 people\\.\n`)
const untilApproval = /waits for a person: [a-z_]+\nIt is submitted\.\n$/

it('the first program in TypeScript runs as it is printed, with the library that Carillon serves', async () => {
  const { folder, env } = reader(await api.newKey(api.units.a, { categories: ['news'] }))
  await runIn(folder, 'sh', ['-c', blockOf('sh')], env)
  const inside = join(folder, 'first-program')
  writeFileSync(join(inside, 'first.mts'), blockOf('ts'))
  const run = (...args: string[]) => runIn(inside, process.execPath, ['first.mts', ...args], env)
  expect(await run()).toMatch(new RegExp(`${counted('Admissions').source}$`))
  const sent = await run('send')
  expect(sent).toMatch(counted('Admissions'))
  expect(sent).toMatch(untilApproval)
  // Only one message is made, however often it runs.
  expect(await run('send')).toBe(sent)
})

it.skipIf(!hasPython())('the first program in Python runs as it is printed', async () => {
  const { folder, env } = reader(await api.newKey(api.units.b, { categories: ['news'] }))
  writeFileSync(join(folder, 'first.py'), blockOf('python'))
  const run = (...args: string[]) => runIn(folder, 'python3', ['first.py', ...args], env)
  expect(await run()).toMatch(new RegExp(`${counted('Library').source}$`))
  const sent = await run('send')
  expect(sent).toMatch(counted('Library'))
  expect(sent).toMatch(untilApproval)
  expect(await run('send')).toMatch(/people\.\nIt is submitted\.\n$/)
})

it.skipIf(!hasPython())('the first program in Python says what is wrong with a key', async () => {
  const { folder, env } = reader('hub_nobody_secret')
  writeFileSync(join(folder, 'first.py'), blockOf('python'))
  await expect(runIn(folder, 'python3', ['first.py'], env)).rejects.toThrow(/invalid_credential: /)
})
