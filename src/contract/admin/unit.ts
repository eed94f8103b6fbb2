import { z } from 'zod'
import { distinct, Id, isChange, mustChange, pageOf, TimeZone } from '../common.ts'
import { roles, unitKinds } from '../enums.ts'

const name = z.string().trim().min(1).max(200)
const kind = z
  .enum(unitKinds)
  .meta({ description: 'Keys of an administrative unit may use the Identity API.' })
const timeZone = TimeZone.meta({ description: 'The time zone of quiet hours.' })
const role = z.enum(roles)
const roleList = z.array(role).max(roles.length).overwrite(distinct)

/** A unit as system administrators see it. */
export const UnitRecord = z
  .object({ id: Id, name: z.string(), kind, timeZone: z.string() })
  .meta({ id: 'UnitRecord' })
export type UnitRecord = z.infer<typeof UnitRecord>

/** One page of units, by name. */
export const UnitRecordPage = pageOf(UnitRecord).meta({ id: 'UnitRecordPage' })

/** A new unit. Names are unique. */
export const CreateUnit = z
  .strictObject({ name, kind: kind.default('ordinary'), timeZone: timeZone.default('Asia/Taipei') })
  .meta({ id: 'CreateUnit' })
export type CreateUnit = z.infer<typeof CreateUnit>

/** Omitted fields are unchanged. */
export const EditUnit = z
  .strictObject({ name: name.optional(), kind: kind.optional(), timeZone: timeZone.optional() })
  .refine(isChange, mustChange)
  .meta({ id: 'EditUnit', examples: [{ name: 'Admissions office' }] })
export type EditUnit = z.infer<typeof EditUnit>

/** A member of a unit. */
export const UnitMember = z
  .object({ id: Id, name: z.string(), email: z.string(), roles: z.array(role) })
  .meta({ id: 'UnitMember' })
export type UnitMember = z.infer<typeof UnitMember>

/** All members of a unit, by name, on one page. */
export const UnitMemberPage = pageOf(UnitMember).meta({ id: 'UnitMemberPage' })

/** Roles to grant and to remove. A person without a role is no longer a member. */
export const ChangeRoles = z
  .strictObject({ personId: Id, add: roleList.optional(), remove: roleList.optional() })
  .refine(
    ({ add = [], remove = [] }) => add.length + remove.length > 0,
    'must add or remove at least one role',
  )
  .refine(
    ({ add = [], remove = [] }) => !add.some((one) => remove.includes(one)),
    'must not add and remove the same role',
  )
  .meta({
    id: 'ChangeRoles',
    examples: [{ personId: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f', add: ['editor'] }],
  })
export type ChangeRoles = z.infer<typeof ChangeRoles>
