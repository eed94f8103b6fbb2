import { z } from 'zod'
import { Id, isChange, mustChange, PageQuery, pageOf } from '../common.ts'
import { locales } from '../enums.ts'

const email = z.email().max(254)
const settings = {
  systemAdmin: z.boolean().optional(),
  language: z
    .enum(locales)
    .optional()
    .meta({ description: 'The language of the console and of mails to this person.' }),
  notices: z
    .boolean()
    .optional()
    .meta({ description: 'Whether an approver is notified by mail of pending approvals.' }),
  subjectUid: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .optional()
    .meta({ description: 'The subject that is the same person; receives their test messages.' }),
}

/** A person who can sign in to the console. */
export const Person = z
  .object({
    id: Id,
    name: z.string(),
    email: z.string(),
    systemAdmin: z.boolean(),
    language: z.enum(locales),
    notices: z.boolean(),
    subjectUid: z.string().nullable(),
  })
  .meta({ id: 'Person' })
export type Person = z.infer<typeof Person>

/** One page of people, newest first. */
export const PersonPage = pageOf(Person).meta({ id: 'PersonPage' })

/** The person with this address, or one page of all. */
export const PersonListQuery = PageQuery.extend({ email: email.optional() })
export type PersonListQuery = z.infer<typeof PersonListQuery>

/** A new person. The address is the one that the identity provider knows. */
export const CreatePerson = z
  .strictObject({ email, name: z.string().trim().min(1).max(200), ...settings })
  .meta({ id: 'CreatePerson' })
export type CreatePerson = z.infer<typeof CreatePerson>

/** Omitted fields are unchanged. */
export const EditPerson = z
  .strictObject({ email: email.optional(), name: z.string().trim().min(1).max(200).optional(), ...settings })
  .refine(isChange, mustChange)
  .meta({ id: 'EditPerson', examples: [{ systemAdmin: true }] })
export type EditPerson = z.infer<typeof EditPerson>
