import { z } from 'zod'
import { Id, pageOf, TimeZone } from '../common.ts'
import { roles, unitKinds } from '../enums.ts'

const name = z.string().trim().min(1).max(200)
const kind = z
  .enum(unitKinds)
  .meta({ description: 'Keys of an administrative unit may use the Identity API.' })
const timeZone = TimeZone.meta({ description: 'On whose clock quiet hours are read.' })
const role = z.enum(roles)

/** A unit as system administrators see it. */
export const UnitRecord = z
  .object({ id: Id, name: z.string(), kind, timeZone: z.string() })
  .meta({ id: 'UnitRecord' })
export type UnitRecord = z.infer<typeof UnitRecord>

/** Units by name. */
export const UnitRecordPage = pageOf(UnitRecord).meta({ id: 'UnitRecordPage' })

/** A new unit; its name is its own. */
export const CreateUnit = z
  .strictObject({ name, kind: kind.default('ordinary'), timeZone: timeZone.default('Asia/Taipei') })
  .meta({ id: 'CreateUnit' })
export type CreateUnit = z.infer<typeof CreateUnit>

/** What is left out stays. */
export const EditUnit = z
  .strictObject({ name: name.optional(), kind: kind.optional(), timeZone: timeZone.optional() })
  .refine((patch) => Object.keys(patch).length > 0, 'say what to change: name, kind or timeZone')
  .meta({ id: 'EditUnit', examples: [{ name: 'Admissions office' }] })
export type EditUnit = z.infer<typeof EditUnit>

/** Somebody who works in a unit. */
export const UnitMember = z
  .object({ id: Id, name: z.string(), email: z.string(), roles: z.array(role) })
  .meta({ id: 'UnitMember' })
export type UnitMember = z.infer<typeof UnitMember>

/** Everybody who works in a unit, by name, on one page. */
export const UnitMemberPage = pageOf(UnitMember).meta({ id: 'UnitMemberPage' })

/** Roles that a person gets in a unit, and roles that they lose; whoever has none left is no member. */
export const ChangeRoles = z
  .strictObject({ personId: Id, add: z.array(role).optional(), remove: z.array(role).optional() })
  .refine(
    ({ add = [], remove = [] }) => add.length + remove.length > 0,
    'say which roles to add or to remove',
  )
  .refine(
    ({ add = [], remove = [] }) => !add.some((one) => remove.includes(one)),
    'add and remove name one role',
  )
  .meta({
    id: 'ChangeRoles',
    examples: [{ personId: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f', add: ['editor'] }],
  })
export type ChangeRoles = z.infer<typeof ChangeRoles>
