import type { Violation } from '../audience/audience.ts'
import { linksOf, parseLight } from './light.ts'
import { withoutValueMarks } from './light-values.ts'
import type { TextUse } from './texts.ts'

/** The hosts of the links and of the web addresses in a text, each once. None has Liquid in it. */
export function hostsIn(text: string, use: TextUse): string[] {
  const links = use === 'url' ? [text] : use === 'light' ? linksOf(parseLight(text)) : []
  const addresses = withoutValueMarks(text).match(webAddress) ?? []
  const hosts = [...links, ...addresses].flatMap((address) => {
    const url = address.startsWith('www.') ? `https://${address}` : address
    return URL.canParse(url) ? [new URL(url).host] : []
  })
  return [...new Set(hosts.filter((host) => host !== ''))]
}

const webAddress = /(?:https?:\/\/|\bwww\.)[^\s/?#<>"'()（）「」，。、；]+/gi

/** The warning of a text into which values bring addresses: who approves it has not seen where they lead. */
export function hostsFromValues(path: string, hosts: string[]): Violation {
  const named = hosts.slice(0, namedMost).join(', ')
  const more = hosts.length - namedMost
  return {
    path,
    code: 'host_from_values',
    message: {
      'zh-TW': `變數的值帶入這些網址的主機：${named}${more > 0 ? ` 等 ${hosts.length} 個` : ''}。請確認是否正確。`,
      en: `The values of variables bring addresses on ${named}${more > 0 ? ` and ${more} more` : ''}. Check that they are right.`,
    },
  }
}

const namedMost = 10

/** The warning of a variable whose value had invisible characters, which were left out. */
export function invisibleDropped(name: string): Violation {
  return {
    path: `variables.${name}`,
    code: 'invisible_dropped',
    message: {
      'zh-TW': `「${name}」的值含有看不見的字元，已經略去。`,
      en: `The value of ${name} contains invisible characters, which were left out.`,
    },
  }
}
