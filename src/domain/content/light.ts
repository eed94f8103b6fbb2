import MarkdownIt from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'

/** A run of text; `url`: it is a link. */
export type LightSpan = { text: string; bold?: true; url?: string }

/** A block of a lightly formatted text. */
export type LightBlock =
  | { kind: 'heading' | 'paragraph'; spans: LightSpan[] }
  | { kind: 'list'; ordered: boolean; items: LightSpan[][] }

type Token = ReturnType<MarkdownIt['parse']>[number]

/**
 * Headings, lists, bold and links of CommonMark (https://spec.commonmark.org), and nothing else: the rest is text. Marks
 * beside Chinese need no spaces, also where 「 or a link follows them.
 */
const markdown = new MarkdownIt('zero')
  .use(cjkFriendly)
  .enable(['heading', 'list', 'emphasis', 'link', 'newline', 'escape'])
// A link is a link whatever its address: the channels say which ones they open.
markdown.validateLink = () => true

/** Reads a lightly formatted text. */
export function parseLight(text: string): LightBlock[] {
  const blocks: LightBlock[] = []
  let heading = false
  let depth = 0 // of lists in lists, whose items follow one another
  for (const token of markdown.parse(text, {})) {
    if (token.type === 'heading_open' || token.type === 'heading_close') heading = token.nesting > 0
    else if (/^(bullet|ordered)_list_/.test(token.type)) {
      if (depth === 0) blocks.push({ kind: 'list', ordered: token.type.startsWith('ordered'), items: [] })
      depth += token.nesting
    } else if (token.type === 'inline')
      add(blocks, spansOf(token.children ?? []), { heading, inList: depth > 0 })
  }
  return blocks.filter((block) => block.kind !== 'list' || block.items.length > 0)
}

function add(
  blocks: LightBlock[],
  spans: LightSpan[],
  { heading, inList }: { heading: boolean; inList: boolean },
): void {
  const last = blocks.at(-1)
  if (inList && last?.kind === 'list') last.items.push(spans)
  else blocks.push({ kind: heading ? 'heading' : 'paragraph', spans })
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
  const spans = blocks.flatMap((block) => (block.kind === 'list' ? block.items.flat() : block.spans))
  return spans.flatMap(({ url }) => (url === undefined ? [] : [url]))
}

/** The same with other addresses. */
export function withLinks(blocks: readonly LightBlock[], to: (url: string) => string): LightBlock[] {
  const led = (spans: LightSpan[]) =>
    spans.map((span) => (span.url === undefined ? span : { ...span, url: to(span.url) }))
  return blocks.map((block) =>
    block.kind === 'list' ? { ...block, items: block.items.map(led) } : { ...block, spans: led(block.spans) },
  )
}

/** The same without marks: a link is followed by its address in brackets. */
export function plainOf(blocks: readonly LightBlock[]): string {
  return blocks
    .map((block) => {
      if (block.kind !== 'list') return inLine(block.spans)
      return block.items
        .map((item, index) => `${block.ordered ? `${index + 1}.` : '•'} ${inLine(item)}`)
        .join('\n')
    })
    .join('\n\n')
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
