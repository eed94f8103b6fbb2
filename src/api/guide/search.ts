import { Marked, type Token, type Tokens } from 'marked'
import MiniSearch from 'minisearch'
import { aboutPages } from './about.ts'
import { clientPackagePath } from './client-package.ts'
import { anchorOf, type SearchHit, titleOf } from './page.ts'
import type { GuideSource } from './source.ts'

/** A part of a page under one heading. `address` leads to it. */
type Section = { id: number; address: string; page: string; heading: string; text: string }

const hitsMost = 30
const excerptLength = 220
const wordsMost = 10

/**
 * The search in the pages: by whole words, their beginnings, and one wrong letter in six; sections with all words, otherwise
 * with any of them. Only the first ten words count: each is looked for in every spelling.
 */
export function searchIn(
  sources: readonly GuideSource[],
  addressOf: (path: string) => string,
): (query: string) => SearchHit[] {
  const sections = sources.flatMap((source) => sectionsOf(source, addressOf(source.path)))
  const numbered = sections.map((section, id) => ({ ...section, id }))
  const index = new MiniSearch<Section>({ fields: ['heading', 'page', 'text'] })
  index.addAll(numbered)
  return (input) => {
    const query = input.split(/\s+/).filter(Boolean).slice(0, wordsMost).join(' ')
    const how = { boost: { heading: 3, page: 2 }, prefix: true, fuzzy: 1 / 6 }
    const all = index.search(query, { ...how, combineWith: 'AND' })
    const results = all.length > 0 ? all : index.search(query, how)
    return results.slice(0, hitsMost).map(({ id, terms }) => {
      const { text, ...section } = numbered[id]!
      return { ...section, excerpt: excerptOf(text, terms) }
    })
  }
}

function sectionsOf({ text }: GuideSource, address: string): Omit<Section, 'id'>[] {
  const page = titleOf(text)
  const sections: (Omit<Section, 'id' | 'text'> & { texts: string[] })[] = []
  for (const token of new Marked().lexer(text)) {
    if (token.type === 'heading') {
      const { depth, text: heading } = token as Tokens.Heading
      const at = depth === 1 ? address : `${address}#${anchorOf(heading)}`
      sections.push({ address: at, page, heading: heading.replaceAll('`', ''), texts: [] })
    } else sections.at(-1)?.texts.push(wordsOf(token))
  }
  return sections.map(({ texts, ...section }) => ({ ...section, text: texts.join(' ') }))
}

/** The words of a block without its marks. */
function wordsOf(token: Token): string {
  if (token.type === 'code') return (token as Tokens.Code).text
  return token.raw
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/^[|:\s-]+$/gm, '')
    .replaceAll(/[*`[\]|#]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function excerptOf(text: string, terms: readonly string[]): string {
  const positions = terms.map((term) => text.toLowerCase().indexOf(term)).filter((at) => at >= 0)
  const start = Math.max(0, Math.min(...(positions.length > 0 ? positions : [0])) - excerptLength / 4)
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1
  const cut = text.slice(from, from + excerptLength)
  return `${from > 0 ? '… ' : ''}${cut}${from + excerptLength < text.length ? ' …' : ''}`
}

/**
 * The index of the pages for programs that read them (https://llmstxt.org): each page in Markdown, with what it is about.
 */
export function llmsText(sources: readonly GuideSource[], addressOf: (path: string) => string): string {
  const line = ({ path, text }: GuideSource) =>
    `- [${titleOf(text)}](${addressOf(path)}.md): ${aboutPages[path]}`
  const [index, ...pages] = sources
  return [
    '# Carillon\n',
    '> A durable notification hub: systems say what to tell whom; Carillon checks consent, preferences and quota, gets an',
    '> approval, sends by chat and e-mail, and records the outcome for every recipient.\n',
    'Every operation with its schemas: [/openapi.json](/openapi.json). To call them from TypeScript or JavaScript:',
    `\`npm install <this address>${clientPackagePath}\`. A first program needs this address and a key, nothing else.\n`,
    '## API\n',
    line(index!),
    ...pages.map(line),
    '',
  ].join('\n')
}
