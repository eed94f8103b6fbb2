/** Plausible names for the demo's people; a number always has the same name. */

const surnames = [...'陳林黃張李王吳劉蔡楊許鄭謝郭洪邱曾廖賴徐周葉蘇莊呂江何蕭羅高']
const firsts = [...'怡雅佳欣詠宜思淑婷筱冠柏彥承宗建俊家志明品子宇哲育瑋俞亭芷語']
const seconds = [...'君雯蓉穎潔安妤蓁真恩翰廷霖豪銘宏傑勳緯齊睿晴涵瑄樺儒如芸萱岑']

/** A Chinese name: a surname and two characters. */
export function chineseName(n: number): string {
  return pick(surnames, n * 7 + 3) + pick(firsts, n * 11 + 5) + pick(seconds, n * 13 + 1)
}

/** First and last names of the readers of English, grouped by region. */
const abroad = [
  { firsts: ['Linh', 'Minh', 'Thao', 'Quan', 'Ngoc'], lasts: ['Nguyen', 'Tran', 'Le', 'Pham', 'Hoang'] },
  { firsts: ['Siti', 'Budi', 'Dewi', 'Agus', 'Putri'], lasts: ['Santoso', 'Wijaya', 'Lestari', 'Hidayat'] },
  { firsts: ['Aisyah', 'Wei Jie', 'Farid', 'Mei Ling'], lasts: ['Rahman', 'Tan', 'Ismail', 'Lim', 'Wong'] },
  { firsts: ['Priya', 'Arjun', 'Ananya', 'Rohan'], lasts: ['Sharma', 'Patel', 'Iyer', 'Gupta', 'Nair'] },
  { firsts: ['Emma', 'Lukas', 'Chloé', 'Mateo', 'Anna'], lasts: ['Müller', 'Dubois', 'García', 'Novák'] },
  { firsts: ['Olivia', 'Ethan', 'Grace', 'Noah'], lasts: ['Johnson', 'Miller', 'Brown', 'Walker'] },
]

/** A name from abroad: first name, then last name. */
export function nameFromAbroad(n: number): string {
  const { firsts, lasts } = pick(abroad, n * 5 + 2)
  return `${pick(firsts, n * 3 + 1)} ${pick(lasts, n * 7 + 4)}`
}

function pick<T>(from: readonly T[], n: number): T {
  return from[(n + Math.floor(n / from.length)) % from.length]!
}
