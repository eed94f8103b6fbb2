import type { Locale } from '../../../contract/enums.ts'

const chinese = {
  title: (title: string) => `回覆名單：${title}`,
  link: '看誰回覆了什麼',
  csv: '下載 CSV',
  hint: '名單是個人資料；每次顯示或下載都會留下紀錄。',
  forbidden: '核准者、送審者與承辦人可以看名單；其他人請看數字，或請核准者指定您為承辦人。',
  search: '搜尋姓名或編號',
  find: '搜尋',
  all: '看全部',
  next: '下一頁',
  none: '還沒有人回覆。',
  nothingFound: '沒有符合的人。',
  back: '返回',
  organisers: {
    title: '承辦人',
    none: '沒有指定承辦人。',
    hint: '承辦人可以看每個人的回覆，不能修改或審核；離開單位後就看不到。',
    later: '之後指定的承辦人，只看得到指定以後的回覆。',
    change: '更改承辦人',
    button: '儲存承辦人',
  },
}

/** Texts of the pages that show who answered what. */
export const answersWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    title: (title) => `Who answered: ${title}`,
    link: 'See who answered what',
    csv: 'Download as CSV',
    hint: 'These are personal data: each time they are shown or downloaded is recorded.',
    forbidden:
      'Approvers, who submitted it, and its organisers may see who answered. Read the numbers, or ask an approver to name you as an organiser.',
    search: 'Name or uid',
    find: 'Search',
    all: 'Show all',
    next: 'Next page',
    none: 'Nobody has answered yet.',
    nothingFound: 'Nobody fits.',
    back: 'Back',
    organisers: {
      title: 'Organisers',
      none: 'Nobody is named.',
      hint: 'Organisers see what each person answers. They can change and approve nothing, and see nothing once they have left the unit.',
      later: 'Who is named later sees what is answered from then on.',
      change: 'Change the organisers',
      button: 'Save the organisers',
    },
  },
}
