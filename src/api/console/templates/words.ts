import type { Locale, TemplateState } from '../../../contract/enums.ts'

const chinese = {
  title: '範本',
  all: '全部',
  filter: '狀態',
  search: '名稱或編號',
  none: '這個單位還沒有範本。',
  nothingFound: '沒有符合條件的範本。',
  columns: ['名稱', '狀態', '類別', '撰寫者', '建立時間'] satisfies [string, string, string, string, string],
  states: { draft: '待審核', approved: '已核准', rejected: '已退回' } satisfies Record<TemplateState, string>,
  /** Which version it is, and which one messages use, if that is another. */
  version: (version: string, inForce: string | null) =>
    inForce === null ? `第 ${version} 版` : `第 ${version} 版；訊息目前使用第 ${inForce} 版`,
  decide: '前往審核',
  write: '寫新版本',
  begin: '新的範本',
  /** Values for a preview. */
  values: {
    title: '用範例值預覽',
    hint: '沒有填寫也沒有預設值的變數，會顯示為⟨變數名稱⟩。這裡填寫的內容不會儲存。',
    button: '更新預覽',
    wrong: '這些值不能用在這個範本，因此沒有預覽。請修改後再試。',
    required: '必填',
    optional: '選填',
  },
  byDefault: (value: string) => `預設：${value}`,
  content: '內容',
  usedBy: '使用這個範本的項目',
  unused: '沒有事件綁定或排程使用這個範本。',
  binding: (source: string, type: string) => `事件綁定：${source} 的 ${type}`,
  schedule: (name: string) => `排程「${name}」`,
  versions: '版本',
  compare: '與這一版比較',
  compared: (version: string) => `正在與第 ${version} 版比較`,
}

export type TemplateWords = typeof chinese

/** Texts of the pages of templates. */
export const templateWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    title: 'Templates',
    all: 'All',
    filter: 'State',
    search: 'Name or id',
    none: 'This unit has no templates yet.',
    nothingFound: 'No template fits.',
    columns: ['Name', 'State', 'Category', 'Author', 'Created'],
    states: { draft: 'To be approved', approved: 'Approved', rejected: 'Rejected' },
    version: (version, inForce) =>
      inForce === null ? `Version ${version}` : `Version ${version}; messages use version ${inForce}`,
    decide: 'Decide about it',
    write: 'Write a new version',
    begin: 'New template',
    values: {
      title: 'Preview with example values',
      hint: 'A variable that has no value here and no default shows its own name. What you write here is not kept.',
      button: 'Update the preview',
      wrong: 'The template cannot take these values, so there is no preview. Change them and try again.',
      required: 'required',
      optional: 'optional',
    },
    byDefault: (value) => `default: ${value}`,
    content: 'Content',
    usedBy: 'What uses this template',
    unused: 'No event binding and no schedule uses it.',
    binding: (source, type) => `Event binding: ${type} of ${source}`,
    schedule: (name) => `The schedule “${name}”`,
    versions: 'Versions',
    compare: 'Compare with this one',
    compared: (version) => `Compared with version ${version}`,
  },
}
