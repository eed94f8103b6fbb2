import { channels } from '../../contract/enums.ts'
import type { Trx } from '../../db/connect.ts'
import { type BoundAddress, findBoundAddresses } from '../../db/queries/subject/address.ts'
import { addConsents, setAddresses } from '../../db/queries/subject/consent.ts'
import type { Refusal } from '../../db/queries/subject/import-chunk.ts'
import { changeSubjects, insertVisitors, type SubjectChange } from '../../db/queries/subject/subject.ts'
import { addressIdentity } from '../../domain/address-identity.ts'
import type { AddressHasher } from '../address-hash.ts'
import { definedAcquisition } from '../subjects/addresses.ts'
import { followAddresses } from '../subjects/follow-addresses.ts'
import type { ValidLine } from './validate-lines.ts'

/**
 * Writes people in bulk; unknown ones become visitors first. Returns the lines it rejected because their address is
 * bound to another person. Several lines for one person say the same (one-line-each.ts).
 */
export async function writePeople(
  trx: Trx,
  lines: ValidLine[],
  { ref, hashOf }: { ref: string | null; hashOf: AddressHasher },
): Promise<Refusal[]> {
  const { free, rejected } = await withoutTaken(trx, lines)
  const people = new Map(free.map(({ person }) => [person.uid, person]))
  await insertVisitors(trx, [...people.keys()])
  const ids = await changeSubjects(
    trx,
    [...people.values()].map((person) => changeOf(person, ref)),
  )
  await setAddresses(
    trx,
    [...people.values()].flatMap((person) =>
      addressesOf(person).map(({ uid, channel, address }) => ({
        subjectId: ids.get(uid)!,
        channel,
        address,
        hash: hashOf(channel, address),
      })),
    ),
  )
  await followAddresses(trx, [...ids.values()])
  await addConsents(
    trx,
    [...people.values()].flatMap((person) => consentsOf(person, ids.get(person.uid)!)),
  )
  return rejected
}

type Person = ValidLine['person']

/** An address belongs to one person: the one it is bound to, else the first one in the file. */
async function withoutTaken(
  trx: Trx,
  lines: ValidLine[],
): Promise<{ free: ValidLine[]; rejected: Refusal[] }> {
  const keyOf = ({ channel, address }: BoundAddress) => `${channel} ${addressIdentity(channel, address)}`
  const holders = await findBoundAddresses(
    trx,
    lines.flatMap(({ person }) => addressesOf(person)),
  )
  const ofOthers = new Set(holders.map((claimed) => `${claimed.uid} ${keyOf(claimed)}`))
  const owners = new Map<string, string>()
  const rejected: Refusal[] = []
  const free = lines.filter(({ line, person }) => {
    const claimed = addressesOf(person)
    const lost = claimed.find(
      (one) =>
        ofOthers.has(`${one.uid} ${keyOf(one)}`) || (owners.get(keyOf(one)) ?? person.uid) !== person.uid,
    )
    if (lost)
      rejected.push({ line, field: lost.channel, reason: 'must not be the address of another person' })
    else for (const one of claimed) owners.set(keyOf(one), person.uid)
    return !lost
  })
  return { free, rejected }
}

function addressesOf(person: Person): BoundAddress[] {
  return channels.flatMap((channel) => {
    const address = person[channel]
    return address === undefined ? [] : [{ uid: person.uid, channel, address }]
  })
}

/** A person without an acquisition gets this import as theirs. */
function changeOf(
  { chat, email, consents, tags, acquisition, ...change }: Person,
  ref: string | null,
): SubjectChange {
  return {
    ...(change as Omit<SubjectChange, 'addTags' | 'acquisition'>), // JSON has no undefined values
    addTags: tags ?? [],
    acquisition: definedAcquisition({ source: 'import', ref: ref ?? undefined, ...acquisition }),
  }
}

function consentsOf({ consents = [] }: Person, subjectId: string) {
  const byScope = new Map(consents.map((consent) => [consent.scope, consent]))
  return [...byScope.values()].map(({ scope, version, source }) => ({
    subjectId,
    scope,
    version,
    source: source ?? 'import',
  }))
}
