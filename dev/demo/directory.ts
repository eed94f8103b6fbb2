import { addressesOf, demoSubjects } from './subject-records.ts'

/** A person of the demo, by whose name and uid the pages show and find their addresses. */
export type DirectoryEntry = {
  uid: string
  name: string
  locale: 'zh-TW' | 'en'
  chat: string | undefined
  email: string | undefined
}

let entries: DirectoryEntry[] | undefined
let byAddress: Map<string, DirectoryEntry> | undefined

/** All people of the demo; addresses that are bound to others have no entry. */
export function directory(): DirectoryEntry[] {
  entries ??= demoSubjects().map((subject) => {
    const addresses = addressesOf(subject)
    const on = (channel: string) => addresses.find((one) => one.channel === channel)?.address
    const { uid, displayName, locale } = subject
    return {
      uid,
      name: displayName ?? uid,
      locale: locale === 'en' ? 'en' : 'zh-TW',
      chat: on('chat'),
      email: on('email'),
    }
  })
  return entries
}

/** The person with this chat or mail address. */
export function personAt(address: string): DirectoryEntry | undefined {
  byAddress ??= new Map(
    directory().flatMap((entry) => [entry.chat, entry.email].flatMap((one) => (one ? [[one, entry]] : []))),
  )
  return byAddress.get(address)
}

/** Whether a person's name, uid or address contains a text, without regard to case. */
export function isFound(address: string, text: string): boolean {
  const { name, uid } = personAt(address) ?? {}
  return [address, name, uid].some((field) => field?.toLowerCase().includes(text.trim().toLowerCase()))
}
