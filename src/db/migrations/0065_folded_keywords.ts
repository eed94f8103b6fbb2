import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Keywords are compared as people mean what they type (docs/design/conversations.md). Of two that are now the same, the one
 * that is written so already stays, else that of the older scenario; the other is not found any more.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql<{ trigger: string }>`
    select trigger from scenario_trigger where trigger like 'keyword:%' order by scenario_id, trigger`.execute(
    db,
  )
  for (const { trigger } of rows)
    await sql`
      update scenario_trigger set trigger = ${`keyword:${folded(trigger.slice('keyword:'.length))}`}
      where trigger = ${trigger}
        and not exists (select from scenario_trigger where trigger = ${`keyword:${folded(trigger.slice('keyword:'.length))}`})
    `.execute(db)
}

/** As `folded` in src/domain/lib/folded.ts was then. */
function folded(text: string): string {
  const seen = text
    .normalize('NFKC')
    .replaceAll(
      /(\u{1F3F4}[\u{E0020}-\u{E007E}]{1,10}\u{E007F})|[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu,
      '$1',
    )
    .replaceAll(/[\u2018\u2019\u02BC\u2032]/gu, "'")
    .replaceAll(/\s+/gu, ' ')
    .trim()
  const characters = Array.from(seen)
  const isMark = (at: number) => /^(?![#@%&/\\])[\p{P}~`\s]$/u.test(characters[at]!)
  const isMinus = (at: number) => characters[at] === '-' && /^\p{N}/u.test(characters[at + 1] ?? '')
  let [start, end] = [0, characters.length]
  while (start < end && isMark(start) && !isMinus(start)) start += 1
  while (end > start && isMark(end - 1)) end -= 1
  const bare = characters.slice(start, end).join('')
  const lower = (bare === '' ? seen : bare).toUpperCase().toLowerCase().normalize('NFKC')
  return Array.from(lower, (character) => variants.get(character) ?? character).join('')
}

const pairs =
  '台臺 裡裏 峰峯 著着 群羣 線綫 啟啓 為爲 眾衆 床牀 教敎 說説 稅税 脫脱 內内 戶户 錄録 秘祕 溫温 真眞 週周 占佔 吃喫'
const variants = new Map(pairs.split(' ').map(([counts, variant]) => [variant!, counts!]))
