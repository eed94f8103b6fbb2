import { expect, it } from 'vitest'
import { CreateTemplateVersion } from '../../../src/contract/templates/template.ts'

it('a variable is required unless it has a default, if its author states neither', () => {
  const messages = [{ kind: 'text', text: { 'zh-TW': '?' } }]
  const variables = [
    { name: 'a' },
    { name: 'b', default: 'x' },
    { name: 'c', default: null },
    { name: 'd', required: false },
    { name: 'e', label: { 'zh-TW': '說明', en: '' }, required: true, default: 'x' },
  ]
  expect(CreateTemplateVersion.parse({ messages, variables }).variables).toEqual([
    { name: 'a', required: true },
    { name: 'b', default: 'x', required: false },
    { name: 'c', default: null, required: false },
    { name: 'd', required: false },
    { name: 'e', label: { 'zh-TW': '說明' }, required: true, default: 'x' },
  ])
})
