import type { AudienceDimension, Locale, Stage, SubjectRole } from '../../../contract/enums.ts'

const dimensions: Record<AudienceDimension, string> = {
  roles: '身分',
  stages: '階段',
  orgUnits: '單位',
  classIds: '班級',
  groups: '群組',
  tags: '標籤',
  history: '紀錄',
}

const chinese = {
  /** BCP 47, for screen readers and the choice of glyphs. */
  lang: 'zh-Hant-TW',
  /** Between the entries of a list, and before an explanation. */
  comma: '、',
  colon: '：',
  stop: '。',
  languages: { 'zh-TW': '中文', en: '英文' } satisfies Record<Locale, string>,
  allWaiting: '所有待審核的項目',
  people: (count: string) => `${count} 人`,
  withShare: (people: string, share: string) => `${people}（${share}）`,
  person: (name: string, uid: string) => `${name}（${uid}）`,
  roles: { student: '學生', teacher: '教師', staff: '職員' } satisfies Record<SubjectRole, string>,
  stages: {
    visitor: '訪客',
    lead: '潛在學生',
    member: '在學或在職',
    alumni: '校友',
  } satisfies Record<Stage, string>,
  dimensions,
}

/** Texts that pages of every area use. */
export const kitWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    lang: 'en',
    comma: ', ',
    colon: ': ',
    stop: '. ',
    languages: { 'zh-TW': 'Chinese', en: 'English' },
    allWaiting: 'All items waiting for approval',
    people: (count) => (count === '1' ? '1 person' : `${count} people`),
    withShare: (people, share) => `${people} (${share})`,
    person: (name, uid) => `${name} (${uid})`,
    roles: { student: 'students', teacher: 'teachers', staff: 'staff' },
    stages: { visitor: 'visitors', lead: 'leads', member: 'members', alumni: 'alumni' },
    dimensions: {
      roles: 'Role',
      stages: 'Stage',
      orgUnits: 'Organisational unit',
      classIds: 'Class',
      groups: 'Group',
      tags: 'Tag',
      history: 'History',
    },
  },
}
