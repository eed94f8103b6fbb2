import type { Group, GroupPage } from '../../src/contract/groups/group.ts'
import type { TopicPage } from '../../src/contract/topics.ts'
import { type Caller, call } from './send.ts'

const topic = { 'zh-TW': '社團活動', en: 'Clubs' }
const council = { name: '學生會', kind: 'static', legalBasis: 'consent' }
/** The group contains this many subjects, starting with the first. */
const councillors = 25

/** Creates, as the editor, a topic and a group with members, if they are missing. */
export async function ensureLists(editor: Caller, uids: string[]): Promise<void> {
  const topics = await call<TopicPage>(editor, 'GET', '/v1/topics?limit=200')
  if (!topics.items.some(({ name }) => name.en === topic.en))
    await call(editor, 'POST', '/v1/topics', { name: topic })

  const groups = await call<GroupPage>(editor, 'GET', '/v1/groups?limit=200')
  const match = groups.items.find(({ name }) => name === council.name)
  const { id } = match ?? (await call<Group>(editor, 'POST', '/v1/groups', council))
  await call(editor, 'POST', `/v1/groups/${id}/members`, { add: uids.slice(0, councillors) })
}
