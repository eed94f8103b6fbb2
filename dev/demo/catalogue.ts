import { channels, type UnitKind } from '../../src/contract/enums.ts'
import type { Db } from '../../src/db/connect.ts'
import { type Category, insertCategory } from '../../src/db/queries/catalogue/category.ts'
import { insertUnit, listUnits, type Unit } from '../../src/db/queries/identity/unit.ts'
import { setDefaultLimit } from '../../src/db/queries/quota/ledger.ts'

/** The scopes of consent. */
export const scopes = { admission: 'admission', alumni: 'alumni' } as const

const both = { mode: 'all', channels: ['chat', 'email'] } satisfies Category['channelPlan']
/** Falls back to mail for recipients without chat. */
const chatFirst = { mode: 'first_available', channels: ['chat', 'email'] } satisfies Category['channelPlan']
const mailFirst = { mode: 'first_available', channels: ['email', 'chat'] } satisfies Category['channelPlan']

/** The demo's categories; the demo key may not use `alumni`. */
export const categories = {
  events: {
    id: 'campus-events',
    name: { 'zh-TW': '校園活動', en: 'Campus events' },
    layer: 'service',
    channelPlan: both,
    approvalRule: 'auto',
    autoMaxRecipients: 5_000,
  },
  academic: {
    id: 'academic-affairs',
    name: { 'zh-TW': '教務公告', en: 'Academic affairs' },
    layer: 'service',
    channelPlan: both,
  },
  admission: {
    id: 'admission-news',
    name: { 'zh-TW': '招生資訊', en: 'Admission news' },
    layer: 'promotional',
    channelPlan: chatFirst,
    consentScope: scopes.admission,
  },
  emergency: {
    id: 'emergency',
    name: { 'zh-TW': '緊急通知', en: 'Emergency notices' },
    layer: 'mandatory',
    channelPlan: both,
  },
  alumni: {
    id: 'alumni-news',
    name: { 'zh-TW': '校友通訊', en: 'Alumni news' },
    layer: 'promotional',
    channelPlan: mailFirst,
    consentScope: scopes.alumni,
  },
} satisfies Record<string, Parameters<typeof insertCategory>[1]>

const quota = { unit: 150_000, otherUnit: 20_000, pool: 50_000 }

export const unitNames = {
  unit: { 'zh-TW': '教務處', en: 'Academic Affairs' },
  other: { 'zh-TW': '圖書館', en: 'Library' },
  administrative: { 'zh-TW': '資訊中心', en: 'Computer Centre' },
}
/** Where answers to their mails go. */
const replyTo = {
  unit: 'academic-affairs@campus.example.edu',
  other: 'library@campus.example.edu',
  administrative: 'computer-centre@campus.example.edu',
}

/** The sending unit, another ordinary one, and the administrative one. */
export type Units = { unit: Unit; other: Unit; administrative: Unit }

/** Creates missing units, categories and limits. */
export async function ensureCatalogue(db: Db): Promise<Units> {
  const allUnits = await listUnits(db)
  const units = {
    unit: await ensureUnit(db, allUnits, 'unit', 'ordinary'),
    other: await ensureUnit(db, allUnits, 'other', 'ordinary'),
    administrative: await ensureUnit(db, allUnits, 'administrative', 'administrative'),
  }
  for (const category of Object.values(categories)) await insertCategory(db, category)
  await ensureLimit(db, units.unit.id, quota.unit)
  await ensureLimit(db, units.other.id, quota.otherUnit)
  await ensureLimit(db, 'pool', quota.pool)
  return units
}

async function ensureUnit(db: Db, allUnits: Unit[], key: keyof Units, kind: UnitKind): Promise<Unit> {
  const displayName = unitNames[key]
  const name = displayName['zh-TW']
  const sender = { name: displayName, iconUrl: null }
  return (
    allUnits.find((unit) => unit.name === name) ??
    insertUnit(db, { name, kind, displayName, replyTo: replyTo[key], sender })
  )
}

/** Sets a missing limit for each channel; keeps existing limits, which may have been changed. */
async function ensureLimit(db: Db, scope: string, limit: number): Promise<void> {
  const rows = await db.selectFrom('quota_default').select('channel').where('scope', '=', scope).execute()
  for (const channel of channels)
    if (!rows.some((row) => row.channel === channel)) await setDefaultLimit(db, { scope, channel, limit })
}
