import MarkdownIt from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import { limits } from '../../contract/limits.ts'
import { keptByText } from '../lib/kept-by-text.ts'
import { isUnseen } from './invisible-text.ts'
import { marksIn, readValues, withoutValueMarks } from './light-values.ts'

/** A run of text; `url`: it is a link. */
export type LightSpan = { text: string; bold?: true; url?: string }

/** An item of a list. `number`: what is told before it, of a numbered one. */
export type LightItem = { spans: LightSpan[]; number?: number }

/** A block of a lightly formatted text. `goesOn`: the list before it contains this one, or is continued after such a list. */
export type LightBlock =
  | { kind: 'heading' | 'paragraph'; spans: LightSpan[] }
  | { kind: 'list'; ordered: boolean; items: LightItem[]; goesOn?: true }

type Token = ReturnType<MarkdownIt['parse']>[number]

/**
 * Headings, lists, bold and links of CommonMark (https://spec.commonmark.org), and nothing else: the rest is text. Marks
 * beside Chinese need no spaces, also where 「 or a link follows them. What values contain is no mark (light-values.ts).
 */
const markdown = new MarkdownIt('zero')
  .use(cjkFriendly)
  .enable(['heading', 'list', 'emphasis', 'link', 'newline', 'escape'])
  .use(readValues)
// A link is a link whatever its address: the channels say which ones they open.
markdown.validateLink = () => true

/** A number that begins no list: a year, or one that is written with zeros before it. */
const noListNumber = /^([ \t]*(?:[-*+][ \t]+)*)(\d{4,9}|0\d{1,8})([.)])(?=[ \t]|$)/gm

/** A list that is being read: its items so far, and the one that is open. */
type OpenList = { ordered: boolean; items: LightItem[]; item: LightItem | null }

/** Characters of text whose blocks are kept. */
const keptLengthMax = 500_000

/**
 * Reads a lightly formatted text, once for all who ask. Items of lists in lists follow one another. One with more marks
 * than a content may have is read as plain: its check has refused it.
 */
export const parseLight = keptByText(keptLengthMax, (text): readonly LightBlock[] =>
  marksIn(text) > limits.lightMarks
    ? [{ kind: 'paragraph', spans: [{ text: withoutValueMarks(text) }] }]
    : readBlocks(text),
)

function readBlocks(text: string): LightBlock[] {
  const blocks: LightBlock[] = []
  const lists: OpenList[] = []
  let heading = false
  for (const token of markdown.parse(text.replace(noListNumber, '$1$2\\$3'), {})) {
    const list = lists.at(-1)
    if (token.type === 'heading_open' || token.type === 'heading_close') heading = token.nesting > 0
    else if (/^(bullet|ordered)_list_open$/.test(token.type))
      lists.push({ ordered: token.type.startsWith('ordered'), items: [], item: null })
    else if (/^(bullet|ordered)_list_close$/.test(token.type)) countUp(lists.pop()!)
    else if (token.type === 'list_item_open')
      list!.item = { spans: [], ...(list!.ordered && { number: Number(token.info) }) }
    else if (token.type === 'inline') {
      const spans = spansOf(token.children ?? [])
      if (list?.item) addToItem(blocks, lists, spans)
      else blocks.push({ kind: heading ? 'heading' : 'paragraph', spans })
    }
  }
  return blocks
}

/** The first paragraph of an item begins it; another is a line of it, or a paragraph after a list inside it. */
function addToItem(blocks: LightBlock[], lists: OpenList[], spans: LightSpan[]): void {
  const { ordered, items, item } = lists.at(-1)!
  const last = blocks.at(-1)
  if (!items.includes(item!)) {
    items.push(item!)
    item!.spans = spans
    const isInside = lists.length > 1 || items.length > 1
    if (last?.kind === 'list' && isInside && last.ordered === ordered) last.items.push(item!)
    else blocks.push({ kind: 'list', ordered, items: [item!], ...(isInside && { goesOn: true as const }) })
  } else if (last?.kind === 'list' && last.items.at(-1) === item) item!.spans.push({ text: '\n' }, ...spans)
  else blocks.push({ kind: 'paragraph', spans })
}

/** Numbers are told as they are written; where all are the same, as Markdown allows, they count up. */
function countUp({ items }: OpenList): void {
  const [first] = items
  if (items.every(({ number }) => number === first!.number))
    for (const [index, item] of items.entries()) if (item.number !== undefined) item.number += index
}

function spansOf(tokens: readonly Token[]): LightSpan[] {
  const spans: LightSpan[] = []
  let bold = false
  let url: string | null = null
  for (const token of tokens) {
    if (token.type === 'strong_open' || token.type === 'strong_close') bold = token.nesting > 0
    else if (token.type === 'link_open') url = token.attrGet('href')
    else if (token.type === 'link_close') url = null
    else
      spans.push({ text: textOf(token), ...(bold && { bold: true as const }), ...(url !== null && { url }) })
  }
  return spans.filter(({ text }) => text !== '')
}

/** Italics are none of the marks: their asterisks are shown. */
function textOf({ type, content, markup }: Token): string {
  if (type === 'softbreak' || type === 'hardbreak') return '\n'
  return type === 'em_open' || type === 'em_close' ? markup : content
}

/** The addresses of its links, in order. */
export function linksOf(blocks: readonly LightBlock[]): string[] {
  return spansIn(blocks).flatMap(({ url }) => (url === undefined ? [] : [url]))
}

function spansIn(blocks: readonly LightBlock[]): LightSpan[] {
  return blocks.flatMap((block) =>
    block.kind === 'list' ? block.items.flatMap(({ spans }) => spans) : block.spans,
  )
}

/** Whether its marks are all that is shown. */
export function isBlank(blocks: readonly LightBlock[]): boolean {
  return spansIn(blocks).every(({ text }) => isUnseen(text))
}

/** The same with other addresses. */
export function withLinks(blocks: readonly LightBlock[], to: (url: string) => string): LightBlock[] {
  const led = (spans: LightSpan[]) =>
    spans.map((span) => (span.url === undefined ? span : { ...span, url: to(span.url) }))
  return blocks.map((block) =>
    block.kind === 'list'
      ? { ...block, items: block.items.map((item) => ({ ...item, spans: led(item.spans) })) }
      : { ...block, spans: led(block.spans) },
  )
}

/** The same without marks: a link is followed by its address in brackets. */
export function plainOf(blocks: readonly LightBlock[]): string {
  return blocks
    .map((block, index) => {
      const between = index === 0 ? '' : block.kind === 'list' && block.goesOn ? '\n' : '\n\n'
      return between + (block.kind === 'list' ? block.items.map(itemInLine).join('\n') : inLine(block.spans))
    })
    .join('')
}

function itemInLine({ number, spans }: LightItem): string {
  return `${number === undefined ? '•' : `${number}.`} ${inLine(spans)}`
}

function inLine(spans: readonly LightSpan[]): string {
  return spans
    .map(({ text, url }, index) => {
      // A link whose words are marked in part is several runs.
      const goesOn = url !== undefined && spans[index + 1]?.url === url
      return url === undefined || goesOn || text === url ? text : `${text}（${url}）`
    })
    .join('')
}
