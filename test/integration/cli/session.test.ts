import { beforeAll, expect, it } from 'vitest'
import { upsertPerson } from '../../../dev/people.ts'
import { signIn } from '../../../src/services/identity/sign-in.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const fresh = forFile(freshDatabase)
beforeAll(async () => {
  await upsertPerson(fresh.db, { email: 'lin@example.edu', name: '林佳蓉' })
})

const carillon = (...args: string[]) => runCarillon({ DATABASE_URL: fresh.url }, ...args)
const account = { issuer: 'https://login.example.edu', subject: 'lin', email: 'lin@example.edu' }

it('lists who is signed in, and signs them out', async () => {
  await signIn(fresh.db, account, undefined)
  const { out } = await carillon('session', 'list')
  const [headings, line] = out.split('\n')
  expect(headings).toMatch(/^ID +EXPIRES +EMAIL +NAME$/)
  expect(line).toContain('lin@example.edu')
  const [id] = line!.split(' ')
  expect(await carillon('session', 'end', id!)).toMatchObject({ code: 0 })
  expect(await carillon('session', 'list')).toMatchObject({ code: 0, out: 'None.\n' })
  for (const gone of [id!, 'nonsense'])
    expect(await carillon('session', 'end', gone)).toMatchObject({
      code: 3,
      err: expect.stringContaining('session list'),
    })
})

it('unbinds the account with which a person signs in', async () => {
  const other = { ...account, subject: 'another account with the same address' }
  await expect(signIn(fresh.db, other, undefined)).rejects.toThrow('carillon session forget')
  expect(await carillon('session', 'forget', 'Lin@example.edu')).toMatchObject({ code: 0 })
  await signIn(fresh.db, other, undefined)
  await expect(signIn(fresh.db, account, undefined)).rejects.toMatchObject({ code: 'forbidden' })
  const actions = await fresh.db.selectFrom('audit').select('action').orderBy('id').execute()
  expect(actions.map(({ action }) => action)).toEqual([
    ...['bind_account', 'create', 'end', 'forget_account', 'bind_account', 'create'],
  ])
})
