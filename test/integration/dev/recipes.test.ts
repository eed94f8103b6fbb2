import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const contributing = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8')

/** The files that a recipe of CONTRIBUTING.md names. */
function filesOf(recipe: string): string[] {
  const [, text] = new RegExp(`\\*\\*${recipe}\\.\\*\\*([\\s\\S]*?)\\n\\n`).exec(contributing)!
  return [...text!.matchAll(/`(src\/[\w./-]+\.ts)`/g)].map(([, file]) => file!)
}

/** The files of src that do not compile once these lists of `contract/enums.ts` have one value more. */
async function namedByCompiler(lists: string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-recipe-'))
  try {
    await cp(join(root, 'src'), join(folder, 'src'), { recursive: true })
    for (const name of ['node_modules', 'package.json', 'tsconfig.json'])
      await symlink(join(root, name), join(folder, name))
    const enums = join(folder, 'src/contract/enums.ts')
    let text = await readFile(enums, 'utf8')
    for (const list of lists)
      text = text.replace(`export const ${list} = [`, `export const ${list} = ['added', `)
    await writeFile(enums, text)
    const project = { extends: './tsconfig.json', include: ['src'], compilerOptions: { noEmit: true } }
    await writeFile(join(folder, 'recipe.json'), JSON.stringify(project))
    const { promise, resolve: done } = Promise.withResolvers<string>()
    const tsc = join(root, 'node_modules/.bin/tsc')
    execFile(tsc, ['-p', 'recipe.json'], { cwd: folder, maxBuffer: 1e8 }, (_, output) => done(output))
    return [...new Set([...(await promise).matchAll(/^(src\/[^(]+)\(/gm)].map(([, file]) => file!))]
  } finally {
    await rm(folder, { recursive: true })
  }
}

const recipes = {
  'A channel': 'channels',
  'A kind of node': 'nodeKinds',
  'A kind of approval': 'approvalKinds',
}

it('recipes name each file that the compiler names for a new value of their lists', {
  timeout: 120_000,
}, async () => {
  const named = await namedByCompiler(Object.values(recipes))
  expect(named.length).toBeGreaterThan(20)
  const files = Object.keys(recipes).flatMap(filesOf)
  expect(named.filter((file) => !files.includes(file))).toEqual([])
})
