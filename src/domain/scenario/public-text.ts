import type { Graph } from '../../contract/scenarios/graph.ts'
import { mapTexts } from '../content/texts.ts'
import type { NodeMessages } from './deliverable-channels.ts'
import { textsOf } from './node-texts.ts'

/** What is the same for everybody: how the pattern of a scenario stands. */
const publicValues = new Set(['pattern.status', 'pattern.capacity', 'pattern.left', 'pattern.deadline'])

/** The tags that only choose between texts; what others may read or define is not followed. */
const plainTags = new Set([
  ...['if', 'elsif', 'else', 'endif', 'unless', 'endunless'],
  ...['case', 'when', 'endcase', 'comment', 'endcomment'],
])

/** Words of Liquid that are no names. */
const words = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank', 'and', 'or', 'not', 'contains'])

/**
 * Whether what nodes say reads the same for everybody, so that a page behind a forwarded link may show it: their texts name
 * nothing of the person, of a Lookup, of the start or of an earlier answer (docs/design/links.md). Decided by the names in
 * the texts as they were written; a text whose names cannot be told is personal. What no node says (a farewell, a failure)
 * has no names. Pure.
 */
export function isPublic(
  { nodes }: Pick<Graph, 'nodes'>,
  says: readonly Pick<NodeMessages, 'node'>[],
): boolean {
  const spoken = new Set(says.map(({ node }) => node))
  return textsOf(nodes.filter(({ id }) => spoken.has(id))).every(({ messages }) => {
    let all = true
    mapTexts(messages, (text) => {
      all &&= isPublicText(text)
      return text
    })
    return all
  })
}

/** Whether a text of Liquid names only what is the same for everybody. */
export function isPublicText(text: string): boolean {
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', start)) {
    const mark = text[start + 1]
    if (mark !== '{' && mark !== '%') {
      start += 1
      continue
    }
    const end = text.indexOf(mark === '{' ? '}}' : '%}', start + 2)
    // What has no end is no valid Liquid.
    if (end === -1 || !isPublicPart(mark, text.slice(start + 2, end))) return false
    start = end + 2
  }
  return true
}

/** Whether an output or a tag does so. In brackets, a name may stand in quotes. */
function isPublicPart(mark: '{' | '%', whole: string): boolean {
  const body = whole.replace(/^-|-$/g, '').trim()
  if (body.includes('[')) return false
  if (mark === '{') return namesOnlyPublic(body)
  const [tag = '', ...rest] = body.split(/\s+/)
  return plainTags.has(tag) && namesOnlyPublic(rest.join(' '))
}

function namesOnlyPublic(expression: string): boolean {
  const bare = expression.replace(/"[^"]*"|'[^']*'/g, ' ').replace(/\|\s*[\w-]+/g, ' ')
  const names = bare.match(/[\p{L}_][\p{L}\p{N}_-]*(?:\s*\.\s*[\p{L}\p{N}_-]+)*/gu) ?? []
  return names.every((name) => words.has(name) || publicValues.has(name))
}
