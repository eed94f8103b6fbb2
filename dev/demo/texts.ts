import type { Media } from '../../src/contract/media.ts'
import type { CreateMessage } from '../../src/contract/messages/create.ts'
import type { CreateTemplate } from '../../src/contract/templates/template.ts'
import { categories } from './catalogue.ts'

/** What texts about an event say of it. */
export const eventVariables = [
  { name: 'event', label: { 'zh-TW': '活動名稱', en: 'Event' }, required: true },
  { name: 'starts', label: { 'zh-TW': '時間', en: 'Time' }, required: true },
  { name: 'place', label: { 'zh-TW': '地點', en: 'Place' }, required: true },
]

/** An invitation template, approved once and used for every event. `picture`: of the campus. */
export const eventTemplate = ({ url }: Media): CreateTemplate => ({
  name: '活動邀請 Event invitation',
  categoryId: categories.events.id,
  subject: { 'zh-TW': '活動邀請：{{ event }}', en: 'You are invited: {{ event }}' },
  variables: eventVariables,
  messages: [
    {
      kind: 'text',
      text: {
        'zh-TW':
          '誠摯邀請您參加「{{ event }}」！\n\n時間：{{ starts }}\n地點：{{ place }}\n\n歡迎帶著親朋好友一起來逛逛，我們現場見！',
        en: 'You are warmly invited to “{{ event }}”!\n\nWhen: {{ starts }}\nWhere: {{ place }}\n\nBring your friends and family along. See you there.',
      },
    },
    {
      kind: 'card',
      header: { 'zh-TW': '校園活動', en: 'Campus events' },
      title: { 'zh-TW': '當天亮點', en: 'Highlights of the day' },
      imageUrl: url,
      body: {
        'zh-TW': '社團市集、樂團演出、異國美食與親子闖關，憑學生證可兌換紀念品。',
        en: 'Club fair, live bands, food from around the world and games for children. Show your student card for a souvenir.',
      },
      actions: [
        {
          kind: 'uri',
          label: { 'zh-TW': '查看節目表', en: 'See the programme' },
          url: 'https://www.example.edu/events/programme',
        },
        {
          kind: 'uri',
          label: { 'zh-TW': '校園地圖', en: 'Campus map' },
          url: 'https://www.example.edu/map',
        },
        {
          kind: 'mute',
          label: { 'zh-TW': '不再收到活動通知', en: 'No more event news' },
          categoryId: categories.events.id,
        },
      ],
    },
    {
      kind: 'quickReply',
      text: { 'zh-TW': '您會來參加嗎？', en: 'Will you join us?' },
      options: [
        { id: 'yes', label: { 'zh-TW': '一定到！', en: 'Count me in!' } },
        { id: 'maybe', label: { 'zh-TW': '再看看', en: 'Maybe' } },
        { id: 'no', label: { 'zh-TW': '這次無法參加', en: 'Not this time' } },
      ],
    },
  ],
})

/** The first message: to all, approved automatically. Its variables suit both languages. */
export function openDay(templateId: string): CreateMessage {
  return {
    categoryId: categories.events.id,
    templateId,
    variables: {
      event: 'Open Campus Day 2026',
      starts: '12/5 10:00–16:00',
      place: 'Central Lawn, A1–A12',
    },
    audience: { kind: 'all' },
  }
}

/** The second message: to students, waiting for approval, with a picture and an entry for their calendars. */
export const courseSelection = ({ url, previewUrl }: Media): CreateMessage => ({
  categoryId: categories.academic.id,
  audience: { kind: 'query', roles: ['student'], stages: ['member'] },
  calendar: {
    start: '2026-12-14T09:00:00+08:00',
    end: '2026-12-18T17:00:00+08:00',
    title: { 'zh-TW': '選課第一階段', en: 'Course selection, round 1' },
    location: { 'zh-TW': '選課系統', en: 'Online' },
  },
  messages: [
    {
      kind: 'image',
      url,
      previewUrl,
      alt: { 'zh-TW': '晴天的校園草地', en: 'The campus lawn on a clear day' },
    },
    {
      kind: 'text',
      format: 'light',
      text: {
        'zh-TW':
          '# 下學期選課即將開始\n同學您好，選課前請先完成：\n\n- 確認**必修課程**與學分數\n- 看過[選課須知](https://www.example.edu/courses/rules)\n- 留意各階段時間',
        en: '# Course selection opens soon\nDear students, before you choose:\n\n- check your **required courses** and credits\n- read the [rules](https://www.example.edu/courses/rules)\n- note the dates of each round',
      },
    },
    {
      kind: 'carousel',
      cards: [
        {
          kind: 'card',
          header: { 'zh-TW': '第一階段', en: 'Round 1' },
          title: { 'zh-TW': '下學期選課：初選', en: 'Course selection: first picks' },
          body: {
            'zh-TW': '12/14（一）09:00 至 12/18（五）17:00\n依年級分發，不需搶快。',
            en: 'Mon 14 Dec, 09:00 to Fri 18 Dec, 17:00\nSeats are assigned by year; no need to rush.',
          },
          actions: [
            {
              kind: 'uri',
              label: { 'zh-TW': '前往選課系統', en: 'Open course selection' },
              url: 'https://www.example.edu/courses',
            },
          ],
        },
        {
          kind: 'card',
          header: { 'zh-TW': '第二階段', en: 'Round 2' },
          title: { 'zh-TW': '下學期選課：加退選', en: 'Course selection: add and drop' },
          body: {
            'zh-TW': '2/22（一）09:00 至 3/5（五）17:00\n先選先上，額滿為止。',
            en: 'Mon 22 Feb, 09:00 to Fri 5 Mar, 17:00\nFirst come, first served.',
          },
          actions: [
            {
              kind: 'uri',
              label: { 'zh-TW': '查詢剩餘名額', en: 'See free seats' },
              url: 'https://www.example.edu/courses/seats',
            },
          ],
        },
        {
          kind: 'card',
          header: { 'zh-TW': '第三階段', en: 'Round 3' },
          title: { 'zh-TW': '期中停修申請', en: 'Withdrawing from a course' },
          body: {
            'zh-TW': '4/26（一）至 5/7（五）\n停修後不退學分費，請審慎考慮。',
            en: 'Mon 26 Apr to Fri 7 May\nCredit fees are not refunded; please consider carefully.',
          },
          actions: [
            {
              kind: 'uri',
              label: { 'zh-TW': '下載申請表', en: 'Get the form' },
              url: 'https://www.example.edu/courses/withdrawal',
            },
          ],
        },
      ],
    },
    {
      kind: 'buttons',
      text: { 'zh-TW': '選課遇到問題嗎？', en: 'Do you need help with your courses?' },
      actions: [
        {
          kind: 'uri',
          label: { 'zh-TW': '常見問題', en: 'Frequent questions' },
          url: 'https://www.example.edu/courses/faq',
        },
        {
          kind: 'postback',
          label: { 'zh-TW': '請與我聯絡', en: 'Contact me' },
          data: { v: 1, s: 'course-help' },
        },
      ],
    },
  ],
})
