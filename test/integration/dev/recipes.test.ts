import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const contributing = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8')

/** The files that a recipe of CONTRIBUTING.md names. */
function filesOf(recipe: string): string[] {
  const [, text] = new RegExp(`\\*\\*${recipe}\\.\\*\\*([\\s\\S]*?)\\n\\n`).exec(contributing)!
  return [...text!.matchAll(/`(src\/[\w./<>-]+\.ts)`/g)].map(([, file]) => file!)
}

type Recipe = { name: string; added: string; file: string; before: string; after: string }

/** What each recipe begins with: a new value, added behind a text in a file. */
const recipes: Recipe[] = [
  listValue('A channel', 'channels', 'addedChannel'),
  listValue('A kind of node', 'nodeKinds', 'addedNode'),
  {
    ...{ name: 'A node that waits', added: 'addedWait', file: 'src/domain/scenario/advance.ts' },
    ...{ before: 'export type RunWait =', after: "\n  | 'addedWait'" },
  },
  listValue('A kind of approval', 'approvalKinds', 'addedApproval'),
  listValue('A dimension of audiences', 'audienceDimensions', 'addedDimension'),
  listValue('A dimension of audiences', 'profileLists', 'addedList'),
  field('A field of a message', 'settings', 'addedSetting'),
  field('A field of a message', 'content', 'addedContent'),
  {
    ...{ name: 'A page of the console', added: 'addedArea', file: 'src/api/console/kit/menu.ts' },
    ...{ before: 'export const signedInAreas = [', after: "\n  'addedArea'," },
  },
]

/** A value of a closed list. */
function listValue(name: string, list: string, added: string): Recipe {
  const before = `export const ${list} = [`
  return { name, added, file: 'src/contract/enums.ts', before, after: `'${added}', ` }
}

/** A field of the body of a message. */
function field(name: string, of: string, added: string): Recipe {
  const after = `\n  ${added}: z.string().optional(),`
  return { name, added, file: 'src/contract/messages/create.ts', before: `const ${of} = {`, after }
}

/** What the compiler says of src, a text for each error, once it has all these values. */
async function errorsWith(values: Recipe[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-recipe-'))
  try {
    await cp(join(root, 'src'), join(folder, 'src'), { recursive: true })
    for (const name of ['node_modules', 'package.json', 'tsconfig.json'])
      await symlink(join(root, name), join(folder, name))
    for (const { file, before, after } of values) {
      const text = await readFile(join(folder, file), 'utf8')
      expect(text.split(before)).toHaveLength(2)
      await writeFile(join(folder, file), text.replace(before, before + after))
    }
    const project = { extends: './tsconfig.json', include: ['src'], compilerOptions: { noEmit: true } }
    await writeFile(join(folder, 'recipe.json'), JSON.stringify(project))
    const { promise, resolve: done } = Promise.withResolvers<string>()
    const tsc = join(root, 'node_modules/.bin/tsc')
    execFile(tsc, ['-p', 'recipe.json'], { cwd: folder, maxBuffer: 1e8 }, (_, output) => done(output))
    return (await promise).split(/^(?=src\/)/m).filter((error) => error.startsWith('src/'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

// One run of the compiler for all of them: it takes most of a minute.
let errors: string[]
beforeAll(async () => {
  errors = await errorsWith(recipes)
}, 300_000)

function namedIn(errors: string[]): string[] {
  return [...new Set(errors.map((error) => error.slice(0, error.indexOf('('))))].sort()
}

it('recipes name each file that the compiler names for a new value of their lists', () => {
  const named = namedIn(errors)
  expect(named.length).toBeGreaterThan(20)
  const files = recipes.flatMap(({ name }) => filesOf(name))
  expect(named.filter((file) => !files.includes(file))).toEqual([])
})

it.each(['A dimension of audiences', 'A field of a message'])(
  'the compiler names each file of the recipe %s',
  (recipe) => {
    const begun = recipes.filter(({ name }) => name === recipe)
    // An error that mentions no value is of any of them.
    const others = recipes.filter(({ name }) => name !== recipe)
    const isOf = (error: string) =>
      begun.some(({ added }) => error.includes(added)) || !others.some(({ added }) => error.includes(added))
    const named = namedIn(errors.filter(isOf))
    expect(
      filesOf(recipe).filter((path) => !begun.some(({ file }) => file === path) && !named.includes(path)),
    ).toEqual([])
  },
)

it('a page of the console costs at most five files: those of its area, and what makes the area known', () => {
  const common = ['src/api/app.ts', 'src/api/console/kit/menu.ts']
  const named = filesOf('A page of the console')
  expect(named).toEqual(expect.arrayContaining(common))
  expect(named.length).toBeLessThanOrEqual(5)
  const elsewhere = named.filter((file) => !file.startsWith('src/api/console/<area>/'))
  expect(elsewhere.filter((file) => !common.includes(file))).toEqual([])
  expect(namedIn(errors.filter((error) => error.includes('addedArea')))).toEqual([
    'src/api/console/kit/menu.ts',
  ])
})
