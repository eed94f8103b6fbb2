import { createHash } from 'node:crypto'
import type { SetValueNames } from '../../src/contract/admin/value-name.ts'
import { type Channel, keysOf } from '../../src/contract/enums.ts'
import type { SubjectRecord } from '../people.ts'
import { chineseName, nameFromAbroad } from './names.ts'

/** The demo's subjects by kind. The first ones are students with all addresses and consents. */
const groups = [
  { prefix: 'S', count: 1_400, stage: 'member', roles: ['student'] },
  { prefix: 'T', count: 140, stage: 'member', roles: ['teacher'] },
  { prefix: 'E', count: 90, stage: 'member', roles: ['staff'] },
  { prefix: 'L', count: 170, stage: 'lead', roles: [] },
  { prefix: 'A', count: 120, stage: 'alumni', roles: [] },
  { prefix: 'V', count: 80, stage: 'visitor', roles: [] },
] as const

/** A subject of the demo; `n`: their place among all. */
export type DemoSubject = SubjectRecord & { uid: string; n: number }

const departmentNames = {
  cs: { 'zh-TW': '資訊工程學系', en: 'Computer Science' },
  ee: { 'zh-TW': '電機工程學系', en: 'Electrical Engineering' },
  finance: { 'zh-TW': '財務金融學系', en: 'Finance' },
  design: { 'zh-TW': '設計學系', en: 'Design' },
  nursing: { 'zh-TW': '護理學系', en: 'Nursing' },
  languages: { 'zh-TW': '應用外語學系', en: 'Languages' },
}
const interestNames = {
  music: { 'zh-TW': '音樂', en: 'Music' },
  sports: { 'zh-TW': '運動', en: 'Sports' },
  career: { 'zh-TW': '職涯', en: 'Careers' },
  exchange: { 'zh-TW': '交換學生', en: 'Exchange' },
  volunteer: { 'zh-TW': '志工服務', en: 'Volunteering' },
}
const [departments, interests] = [keysOf(departmentNames), keysOf(interestNames)]
const years = ['一', '二', '三', '四']
/**
 * Of each kind, one in `every` subjects: has no address, has no mail address, has blocked the chat account, has turned
 * off campus events, or has turned off mail about them.
 */
export const exceptions = {
  noAddress: { every: 61, at: 17 },
  noMail: { every: 41, at: 19 },
  blocked: { every: 97, at: 13 },
  off: { every: 83, at: 29 },
  noMailPlease: { every: 71, at: 37 },
}

export const subjectCount = groups.reduce((sum, group) => sum + group.count, 0)

/** What people call the departments, classes and tags of the demo. */
export function demoValueNames(): SetValueNames[] {
  const ofDepartments = keysOf(departmentNames).map((value) => ({ value, name: departmentNames[value] }))
  const classes = ofDepartments.flatMap(({ value, name }) =>
    years.map((year, n) => ({
      value: `${value}-${n + 1}`,
      name: { 'zh-TW': `${name['zh-TW']}${year}年級`, en: `${name.en}, year ${n + 1}` },
    })),
  )
  const tags = [
    ...keysOf(interestNames).map((tag) => ({ value: `interest:${tag}`, name: interestNames[tag] })),
    ...ofDepartments.map(({ value, name }) => ({
      value: `alumni:${value}`,
      name: { 'zh-TW': `${name['zh-TW']}校友`, en: `Alumni of ${name.en}` },
    })),
    ...years.map((_, n) => ({
      value: `cohort:${2023 + n}`,
      name: { 'zh-TW': `${112 + n} 學年入學`, en: `Entered in ${2023 + n}` },
    })),
    { value: 'source:openday', name: { 'zh-TW': '來過校園開放日', en: 'Came to the open day' } },
  ]
  return [
    { dimension: 'orgUnits', names: ofDepartments },
    { dimension: 'classIds', names: classes },
    { dimension: 'tags', names: tags },
  ]
}

/** All subjects, in the same order at every start. */
export function demoSubjects(): DemoSubject[] {
  const kinds = groups.flatMap((group) =>
    Array.from({ length: group.count }, (_, number) => ({ group, number })),
  )
  return kinds.map(({ group, number }, n) => {
    const english = n % 7 === 3
    const department = departments[number % departments.length]!
    const cohort = 2023 + (number % 4)
    const student = group.prefix === 'S'
    return {
      n,
      uid: `${group.prefix}${student ? cohort - 1911 : ''}${String(number + 1).padStart(5, '0')}`,
      stage: group.stage,
      roles: [...group.roles],
      locale: english ? 'en' : 'zh-TW',
      displayName: english ? nameFromAbroad(n) : chineseName(n),
      orgUnits: group.stage === 'member' ? [department] : [],
      classIds: student ? [`${department}-${(number % 4) + 1}`] : [],
      tags: tagsOf(group.prefix, number, cohort, department),
      acquisition: { source: group.stage === 'lead' ? 'chat_embed' : 'directory' },
    }
  })
}

function tagsOf(prefix: string, number: number, cohort: number, department: string): string[] {
  const interest = `interest:${interests[number % interests.length]}`
  if (prefix === 'S') return [`cohort:${cohort}`, interest]
  if (prefix === 'A') return [`alumni:${department}`]
  return prefix === 'L' ? ['source:openday', interest] : []
}

/** Whether the nth subject is one of the exceptions. */
export function isOne(n: number, { every, at }: { every: number; at: number }): boolean {
  return n % every === at
}

/** The addresses of a subject: none, chat, or chat and mail. */
export function addressesOf({ uid, n }: DemoSubject): { channel: Channel; address: string }[] {
  if (isOne(n, exceptions.noAddress)) return []
  const chat = { channel: 'chat' as const, address: chatAddress(uid) }
  return isOne(n, exceptions.noMail) ? [chat] : [chat, { channel: 'email', address: mailAddress(uid) }]
}

/** An address in the chat provider's format. */
function chatAddress(uid: string): string {
  return `U${createHash('md5').update(`demo/${uid}`).digest('hex')}`
}

function mailAddress(uid: string): string {
  return `${uid.toLowerCase()}@campus.example.edu`
}
