import type { Role } from '../../src/contract/enums.ts'
import type { Db } from '../../src/db/connect.ts'
import { insertMember } from '../../src/db/queries/identity/person.ts'
import { upsertPerson } from '../people.ts'
import { type Units, unitNames } from './catalogue.ts'

/** The users of the console. The approver is also an editor, so that self-approval can be tried. */
const staff = [
  { key: 'editor', name: '林佳蓉', email: 'editor@carillon.example', roles: ['editor'], units: ['unit'] },
  {
    key: 'approver',
    name: '陳文彥',
    email: 'approver@carillon.example',
    roles: ['editor', 'approver'],
    units: ['unit'],
  },
  {
    key: 'otherApprover',
    name: '吳淑惠',
    email: 'other-approver@carillon.example',
    roles: ['editor', 'approver'],
    units: ['unit', 'other'],
  },
  {
    key: 'administrator',
    name: '王建宏',
    email: 'admin@carillon.example',
    roles: ['editor', 'approver'],
    units: ['administrative'],
    systemAdmin: true,
  },
  {
    key: 'secretary',
    name: '張雅婷',
    email: 'secretary@carillon.example',
    roles: ['editor'],
    units: ['unit', 'other'],
  },
] as const satisfies {
  key: string
  name: string
  email: string
  roles: Role[]
  units: (keyof Units)[]
  systemAdmin?: boolean
}[]

export type StaffKey = (typeof staff)[number]['key']

const work = {
  editor: { 'zh-TW': '編輯者', en: 'editor' },
  approver: { 'zh-TW': '核准者', en: 'approver' },
  administrator: { 'zh-TW': '系統管理員', en: 'system administrator' },
}

/** The staff as listed by the identity provider. */
export const demoStaff = staff.map((person) => {
  const jobs = [
    ...person.roles.map((role) => work[role]),
    ...('systemAdmin' in person ? [work.administrator] : []),
  ]
  return {
    name: person.name,
    email: person.email,
    place: {
      'zh-TW': person.units.map((unit) => unitNames[unit]['zh-TW']).join('、'),
      en: person.units.map((unit) => unitNames[unit].en).join(', '),
    },
    work: {
      'zh-TW': jobs.map((job) => job['zh-TW']).join('、'),
      en: jobs.map((job) => job.en).join(', '),
    },
  }
})

/**
 * Creates missing staff. Returns the people and their ids. Each is linked to one of the subjects (`uids`), whose phone
 * shows their test messages.
 */
export async function ensureStaff(db: Db, units: Units, uids: string[]) {
  const ids = {} as Record<StaffKey, string>
  for (const [index, person] of staff.entries()) {
    const systemAdmin = 'systemAdmin' in person
    const { email, name } = person
    const id = await upsertPerson(db, {
      email,
      name,
      ...(systemAdmin && { systemAdmin }),
      subjectUid: uids[index],
    })
    for (const unit of person.units) await insertMember(db, units[unit].id, id, [...person.roles])
    ids[person.key] = id
  }
  const people = staff.map(({ name, email, roles }) => ({ name, email, roles: [...roles] }))
  return { ids, people }
}
